import { describe, expect, it } from 'vitest'
import { pointerParts } from '../../src/util/json.ts'

describe('pointerParts', () => {
  it.each<[string, readonly string[]]>([
    ['', []],
    ['#', []],
    ['#/', ['']],
    ['#/properties/a', ['properties', 'a']],
    ['/a/0/b', ['a', '0', 'b']],
    ['#/a~1b/c~0d', ['a/b', 'c~d']],
    ['#/a~01', ['a~1']],
    ['#/a%20b/%5B-_.%5D%2B', ['a b', '[-_.]+']],
    ['#/100%', ['100%']],
  ])('%j → %j', (pointer, parts) => expect(pointerParts(pointer)).toEqual(parts))
})
