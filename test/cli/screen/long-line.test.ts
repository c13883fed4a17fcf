import { afterEach, describe, expect, it, vi } from 'vitest'
import { desk, keys } from './support/keyboard.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const { paste, left, right, up, down, backspace, tab, ctrl, alt, enter } = keys

/** Characters that were divided into those that a person sees, which is what drawing and moving costs. */
function counting(): () => number {
  let count = 0
  const { segment } = Intl.Segmenter.prototype
  vi.spyOn(Intl.Segmenter.prototype, 'segment').mockImplementation(function (this: Intl.Segmenter, text) {
    count += text.length
    return segment.call(this, text)
  })
  return () => {
    const all = count
    count = 0
    return all
  }
}

const pressed = [
  'x',
  left,
  left,
  right,
  backspace,
  ctrl('d'),
  ctrl('t'),
  ctrl('_'),
  ctrl('w'),
  alt('b'),
  alt('f'),
  ctrl('a'),
  right,
  'y',
  ctrl('e'),
  up,
  down,
  tab,
]

describe('a single line as long as a file', () => {
  /** What each key costs in a line of so many words that need all rules, and how many characters are written to the screen. */
  async function costOf(words: number): Promise<{ readonly keys: readonly number[]; readonly text: number }> {
    const at = desk({ completions: () => [] })
    const reading = at.read()
    await at.type(paste('e\u0301日 '.repeat(words)))
    const taken = counting()
    const costs: number[] = []
    for (const key of pressed) {
      await at.type(key)
      costs.push(taken())
    }
    vi.restoreAllMocks()
    await at.type(enter)
    const line = await reading
    return { keys: costs, text: line.kind === 'line' ? line.text.length : 0 }
  }

  it('costs with a key what is on the screen, not what the line has', async () => {
    const short = await costOf(10_000)
    const long = await costOf(225_000)
    expect({ short: short.text > 29_000, long: long.text > 899_000 }).toEqual({ short: true, long: true })
    // Some screens full for the picture, and a little for the character that is stepped over.
    const most = 12_000
    expect(short.keys.filter((cost) => cost > most)).toEqual([])
    expect(long.keys.filter((cost) => cost > most)).toEqual([])
  })

  it('of one word is cut with one key, and no word that anybody completes', async () => {
    const asked: string[] = []
    const at = desk({ completions: (text) => (asked.push(text), []) })
    const reading = at.read()
    await at.type(paste(`one ${'a'.repeat(300_000)} `), tab, left, tab, right, ctrl('w'), 'two', enter)
    expect({ read: await reading, asked: asked.map(({ length }) => length) }).toEqual({
      read: { kind: 'line', text: 'one two' },
      asked: [300_005],
    })
  })

  it('stays on the screen as its beginning and its end', async () => {
    const at = desk({ columns: 60 })
    const reading = at.read()
    const text = 'abcdefghi_'.repeat(90_000)
    await at.type(paste(text), enter)
    expect(await reading).toEqual({ kind: 'line', text })
    const shown = at.terminal.text.map((row) => row.slice(2)).join('')
    expect([at.terminal.text.length < 40, shown]).toEqual([
      true,
      `${text.slice(0, 1200)} … ${text.length - 1800} more characters … ${text.slice(-600)}`,
    ])
  })
})
