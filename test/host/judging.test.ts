import { describe, expect, test } from 'vitest'
import type { FileSystem, Lookups } from '../../src/host/file-system.ts'
import { judging } from '../../src/host/judging.ts'
import { localFiles } from '../../src/host/local-files.ts'
import { resolveLinks } from '../../src/host/paths.ts'
import { tick } from '../../src/util/clock.ts'
import { fc } from '../support/fast-check.ts'

const gone = (path: string): Error => Object.assign(new Error(`nothing at ${path}`), { code: 'ENOENT' })

/** A machine that answers later, and notes what it was asked. Its paths lead where the links say. */
function farAway(links: Readonly<Record<string, string>>) {
  const asked: string[] = []
  const find = async (what: string, path: string): Promise<string> => {
    asked.push(`${what} ${path}`)
    await Promise.resolve()
    const found = links[path]
    if (found === undefined) throw gone(path)
    return found
  }
  const files: FileSystem = {
    ...localFiles,
    realpath: (path) => find('realpath', path),
    readlink: (path) => find('readlink', path),
    atOnce: undefined,
  }
  return { files, asked }
}

describe('where the machine answers at once', () => {
  test('it is judged once, and the value is there at once', () => {
    let calls = 0
    const judge = (look: Lookups): string => (calls++, look.realpath('/'))
    expect([judging(localFiles, judge), calls]).toEqual(['/', 1])
  })

  test('what the judgement throws is thrown', () => {
    const judge = (look: Lookups): string => look.readlink('/')
    expect(() => judging(localFiles, judge)).toThrow(expect.objectContaining({ code: 'EINVAL' }))
  })
})

describe('where it answers later', () => {
  test('each thing is asked once, and what does not depend on one another in the same round', async () => {
    const { files, asked } = farAway({ '/a': '/b', '/b': '/c', '/x': '/y' })
    let rounds = 0
    const judge = (look: Lookups): readonly string[] => {
      rounds++
      const tried = ['/a', '/x'].map((path) => attempt(() => look.realpath(path)))
      return [...tried, look.realpath(look.realpath('/a')), look.realpath('/a')]
    }
    expect(await judging(files, judge)).toEqual(['/b', '/y', '/c', '/b'])
    expect({ asked, rounds }).toEqual({ asked: ['realpath /a', 'realpath /x', 'realpath /b'], rounds: 3 })
  })

  test('judgements that are made side by side share what they ask; a later one asks anew', async () => {
    const { files, asked } = farAway({ '/a': '/b' })
    const judge = (look: Lookups): string => look.realpath('/a')
    expect(await Promise.all([judging(files, judge), judging(files, judge)])).toEqual(['/b', '/b'])
    expect(asked).toEqual(['realpath /a'])
    await tick()
    await judging(files, judge)
    expect(asked).toEqual(['realpath /a', 'realpath /a'])
  })

  test('a question that is never answered does not hold who asks again', async () => {
    const { files } = farAway({ '/a': '/b' })
    const { realpath } = files
    let isDown = true
    const flaky = { ...files, realpath: (path: string) => (isDown ? new Promise<never>(() => {}) : realpath(path)) }
    const judge = (look: Lookups): string => look.realpath('/a')
    void judging(flaky, judge)
    isDown = false
    await tick()
    expect(await judging(flaky, judge)).toBe('/b')
  })

  test('a judgement that catches every failure waits all the same', async () => {
    const { files } = farAway({ '/a': '/b' })
    const judge = (look: Lookups): string => attempt(() => look.realpath('/a'))
    expect(await judging(files, judge)).toBe('/b')
  })

  test('what is not there fails with what the machine said, each time it is asked for', async () => {
    const { files, asked } = farAway({})
    const judge = (look: Lookups): readonly (string | undefined)[] => ['/a', '/a'].map((path) => codeOf(() => look.realpath(path)))
    expect(await judging(files, judge)).toEqual(['ENOENT', 'ENOENT'])
    expect(asked).toEqual(['realpath /a'])
  })

  test('what the judgement itself throws is thrown once all is known', async () => {
    const { files } = farAway({ '/a': '/b' })
    const judge = (look: Lookups): string => {
      throw new RangeError(`at ${look.realpath('/a')}`)
    }
    await expect(judging(files, judge)).rejects.toEqual(new RangeError('at /b'))
  })

  test.each([new Error('the connection broke'), Object.assign(new Error('reset'), { code: 'ECONNRESET' })])(
    'what is no answer of a file system is no file that is not there: %s',
    async (failure) => {
      const { files } = farAway({ '/a': '/b' })
      const broken = { ...files, stat: () => Promise.reject(failure), readlink: () => Promise.reject(failure) }
      const judges: readonly ((look: Lookups) => unknown)[] = [(look) => look.exists('/a'), (look) => attempt(() => look.readlink('/a'))]
      for (const judge of judges) await expect(judging(broken, judge)).rejects.toBe(failure)
    },
  )

  test('one that asks for ever is given up', async () => {
    const { files } = farAway({})
    let path = ''
    const judge = (look: Lookups): string => look.realpath((path += '/a'))
    await expect(judging(files, judge)).rejects.toThrow('A judgement needed more than 1000 rounds of questions to the file system.')
  })
})

test('links lead to the same place, however late the answers are', async () => {
  const names = ['a', 'b', 'c', '..', '.', 'gone']
  const path = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 5 }).map((parts) => `/${parts.join('/')}`)
  await fc.assert(
    fc.asyncProperty(fc.dictionary(path, path, { maxKeys: 6 }), path, async (links, start) => {
      const { files } = farAway(links)
      const look = { realpath: (at: string) => known(links, at), readlink: (at: string) => known(links, at) } as Lookups
      const judge = (by: Lookups): string => attempt(() => resolveLinks(by, start))
      expect(await judging(files, judge)).toBe(judge(look))
    }),
  )
})

test.each([localFiles, { ...localFiles, atOnce: undefined }])('what is there is told from what is not', async (files) => {
  const judge = (look: Lookups): readonly boolean[] => ['/', '/nothing/of/this/name'].map((path) => look.exists(path))
  expect(await judging(files, judge)).toEqual([true, false])
})

function known(links: Readonly<Record<string, string>>, path: string): string {
  const found = links[path]
  if (found === undefined) throw gone(path)
  return found
}

function attempt(look: () => string): string {
  try {
    return look()
  } catch (error) {
    return (error as Error).message
  }
}

function codeOf(look: () => string): string | undefined {
  try {
    return look()
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  }
}
