import { describe, expect, it } from 'vitest'
import type { SuspendListener } from '../../src/cli/io.ts'
import { memoryHistory } from '../../src/cli/screen/history.ts'
import { fc } from '../support/fast-check.ts'
import { desk, keys } from './screen/support/keyboard.ts'

const { enter, up, down, left, right, ctrl, alt, paste, tab, backspace } = keys

describe('a line', () => {
  it.each<[string, readonly string[], string]>([
    ['typed', ['hello'], 'hello'],
    ['with a mistake', ['helo', left, 'l'], 'hello'],
    ['from its beginning', ['b', ctrl('a'), 'a', ctrl('e'), 'c'], 'abc'],
    ['by words', ['one two', alt('b'), alt('b'), 'zero ', alt('f'), '!'], 'zero one! two'],
    ['without its end', ['one two', alt('b'), ctrl('k'), 'three'], 'one three'],
    ['without its beginning', ['one two', alt('b'), ctrl('u')], 'two'],
    ['without its last word', ['one src/two.ts', ctrl('w'), 'x'], 'one x'],
    ['with what was cut put elsewhere', ['one two', ctrl('w'), ctrl('a'), ctrl('y')], 'twoone '],
    ['with two letters in order', ['ba', ctrl('t')], 'ab'],
    ['taken back', ['one', ' two', '\u001f'], 'one'],
    ['of wide characters', ['日本語', left, backspace], '日語'],
    ['of emoji, each one character', ['a👩‍👩‍👧b', left, backspace], 'ab'],
    ['with accents that follow', ['e\u0301x', left, backspace], 'x'],
    ['deleted forwards', ['abc', ctrl('a'), ctrl('d'), '\u001b[3~'], 'c'],
    ['moved by home, end and arrows with Ctrl', ['b c', '\u001b[H', 'a ', '\u001b[F', '!', '\u001b[1;5D', '-'], 'a b -c!'],
    ['of several lines, pasted', [paste('one\r\ntwo\n\tthree')], 'one\ntwo\n\tthree'],
    ['pasted in pieces', ['\u001b[20', '0~a\u001b[2', '01~b'], 'ab'],
    ['pasted, with what steers the terminal', [paste('a\u001b[2J\u202eb\u0007')], 'ab'],
    ['that goes on behind a backslash', ['one\\', enter, 'two'], 'one\ntwo'],
    ['with Alt-Enter, Shift-Enter and Ctrl-J', ['a', keys.altEnter, 'b', keys.shiftEnter, 'c', '\n', 'd'], 'a\nb\nc\nd'],
    ['changed on a line above', [paste('one\ntwo'), up, '!', down, '?'], 'one!\ntwo?'],
    ['with keys that mean nothing', ['a', '\u001b[15~', '\u001bOP', '\u001b[1;9X', keys.escape, 'b'], 'ab'],
    ['pasted, the end of which does not come, and given up', ['\u001b[200~ab\u0003c', '\u0003', 'de', '\u001b[201~'], 'de'],
    ['with a sequence that was cut in two', ['ab', '\u001b', '[D', 'x'], 'axb'],
  ])('%s', async (_, typed, text) => {
    const at = desk()
    const reading = at.read()
    expect(at.isRaw()).toBe(true)
    await at.type(...typed, enter)
    expect(await reading).toEqual({ kind: 'line', text })
    expect({ raw: at.isRaw(), modes: [...at.terminal.modes], unknown: at.terminal.unknown }).toEqual({
      raw: false,
      modes: ['25'],
      unknown: [],
    })
  })

  it('that was typed before the terminal was raw ends as it did there', async () => {
    const at = desk()
    const reading = at.read()
    await at.type('hello\n')
    expect(await reading).toEqual({ kind: 'line', text: 'hello' })
    const pasted = at.read()
    await at.type(paste('one\r\ntwo'), enter)
    expect(await pasted).toEqual({ kind: 'line', text: 'one\ntwo' })
  })

  it('looks as it was typed, broken where the window ends', async () => {
    const at = desk({ columns: 12 })
    const reading = at.read()
    await at.type('abcdefghij日本', left)
    expect([at.terminal.text, at.terminal.cursor]).toEqual([['> abcdefghi', '  j日本'], { row: 1, column: 5 }])
    await at.type(enter)
    await reading
    expect([at.terminal.text, at.terminal.cursor]).toEqual([['> abcdefghi', '  j日本', ''], { row: 2, column: 0 }])
  })

  it('is drawn anew in a window that changes its size', async () => {
    const at = desk({ columns: 30 })
    at.terminal.write('before\n')
    const reading = at.read()
    await at.type('the quick brown fox jumps')
    at.resize(12)
    await at.type('!')
    expect(at.terminal.text).toEqual(['before', '> the quick', '   brown fo', '  x jumps!'])
    at.resize(40)
    await at.type(enter)
    expect(await reading).toEqual({ kind: 'line', text: 'the quick brown fox jumps!' })
    expect(at.terminal.text).toEqual(['before', '> the quick brown fox jumps!', ''])
  })

  it('longer than the window shows the part around the cursor, and all of it in the end', async () => {
    const at = desk({ rows: 5 })
    const reading = at.read()
    const lines = Array.from({ length: 12 }, (_, index) => `line ${index}`)
    await at.type(paste(lines.join('\n')))
    expect(at.terminal.text).toEqual(['  line 8', '  line 9', '  line 10', '  line 11'])
    await at.type(enter)
    expect(await reading).toEqual({ kind: 'line', text: lines.join('\n') })
    expect(at.terminal.text).toEqual([...lines.map((line, index) => `${index === 0 ? '>' : ' '} ${line}`), ''])
  })

  it('what is on the screen is what was typed, wherever the cursor went', async () => {
    const key = fc.oneof(
      fc.constantFrom('a', 'b c', '日', '👍', 'e\u0301', 'long-word'),
      fc.constantFrom(
        left,
        right,
        ctrl('a'),
        ctrl('e'),
        backspace,
        ctrl('w'),
        ctrl('k'),
        ctrl('y'),
        alt('b'),
        ctrl('t'),
        keys.altEnter,
        up,
        down,
      ),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(key, { maxLength: 25 }), fc.integer({ min: 8, max: 30 }), async (typed, columns) => {
        const at = desk({ columns, rows: 60 })
        const reading = at.read()
        await at.type(...typed, enter)
        const line = await reading
        const once = desk({ columns, rows: 60 })
        const again = once.read()
        await once.type(paste(line.kind === 'line' ? line.text : ''), enter)
        // A backslash is none of the keys, so Enter ends it.
        expect(await again).toEqual(line)
        expect(at.terminal.text).toEqual(once.terminal.text)
      }),
    )
  }, 60_000)
})

describe('what else a line may be', () => {
  it.each<[string, readonly string[], object]>([
    ['Ctrl-D', [ctrl('d')], { kind: 'end' }],
    ['Ctrl-C', [ctrl('c')], { kind: 'interrupt' }],
    ['Ctrl-C, with a line that is given up first', ['wrong', ctrl('c'), ctrl('c')], { kind: 'interrupt' }],
  ])('%s', async (_, typed, read) => {
    const at = desk()
    const reading = at.read()
    await at.type(...typed)
    expect(await reading).toEqual(read)
    expect({ raw: at.isRaw(), modes: [...at.terminal.modes] }).toEqual({ raw: false, modes: ['25'] })
  })

  it('nobody waits for it any more', async () => {
    const at = desk()
    const controller = new AbortController()
    const reading = at.read({ signal: controller.signal })
    await at.type('half')
    controller.abort()
    expect(await reading).toEqual({ kind: 'aborted' })
    expect(await at.read({ signal: controller.signal })).toEqual({ kind: 'aborted' })
    expect(at.isRaw()).toBe(false)
  })

  it('the terminal went away', async () => {
    const at = desk()
    const reading = at.read()
    at.endInput()
    expect(await reading).toEqual({ kind: 'end' })
  })

  it('the terminal went away while work was done, which is told once', async () => {
    const at = desk()
    let lost = 0
    const release = at.reader.listen({ interrupt: () => {}, lost: () => void lost++ })
    at.endInput()
    await at.type()
    await new Promise((resolve) => setImmediate(resolve))
    release()
    expect({ lost, read: await at.read() }).toEqual({ lost: 1, read: { kind: 'end' } })
  })
})

describe('an answer', () => {
  it('is one line, without history and completion, and nothing that was typed before', async () => {
    const history = memoryHistory()
    history.add('old')
    const at = desk({ history, completions: () => ['yes'] })
    await at.type('typed before')
    const reading = at.read({ answer: true })
    await at.type('', '', '', '')
    await at.type(up, 'y', tab, paste('e\ns'), keys.altEnter)
    expect(await reading).toEqual({ kind: 'line', text: 'ye s' })
    expect(history.entries()).toEqual(['old'])
  })

  it('is none after Ctrl-C, even with something typed', async () => {
    const at = desk()
    const reading = at.read({ answer: true })
    await at.type('', '', '', '')
    await at.type('ye', ctrl('c'))
    expect(await reading).toEqual({ kind: 'interrupt' })
  })
})

describe('the history', () => {
  const typed = (): ReturnType<typeof memoryHistory> => {
    const history = memoryHistory()
    for (const text of ['first', 'second one', 'third']) history.add(text)
    return history
  }

  it.each<[string, readonly string[], string]>([
    ['up', [up, up], 'second one'],
    ['and down again, to what was being written', ['draft', up, up, down, down], 'draft'],
    ['above the first it stays', [up, up, up, up], 'first'],
    ['an entry is changed, and the old one is kept', [up, '!', up, down], 'third'],
    ['Ctrl-R finds', [ctrl('r'), 'on', enter], 'second one'],
    ['Ctrl-R again finds an older one', [ctrl('r'), 'r', ctrl('r'), enter], 'first'],
    ['what is not there leaves what was written', ['x', ctrl('r'), 'zz', keys.escape], 'x'],
    ['Ctrl-G gives the search up', ['x', ctrl('r'), 'on', ctrl('g')], 'x'],
    ['a letter less finds the newest again', [ctrl('r'), 'fi', backspace, backspace, 'h', keys.escape], 'third'],
  ])('%s', async (_, pressed, text) => {
    const at = desk({ history: typed() })
    const reading = at.read()
    await at.type(...pressed)
    await at.type(pressed.at(-1) === enter ? '' : enter)
    expect(await reading).toEqual({ kind: 'line', text })
  })

  it('shows what is looked for', async () => {
    const at = desk({ history: typed() })
    const reading = at.read()
    await at.type(ctrl('r'), 'on')
    expect(at.terminal.text).toEqual(['> second one', 'search: on'])
    await at.type('x')
    expect(at.terminal.text).toEqual(['> second one', 'search: onx, nothing found'])
    await at.type(enter)
    expect(await reading).toEqual({ kind: 'line', text: 'second one' })
    expect(at.terminal.text).toEqual(['> second one', ''])
  })
})

describe('completion', () => {
  const completions = (text: string): readonly string[] =>
    ['/help', '/model', '/mcp', '/exit', '@src/'].filter((choice) => choice.startsWith(/\S*$/.exec(text)![0]))

  it.each<[string, readonly string[], string]>([
    ['the one that it can be, and a space', ['/h', tab, 'me'], '/help me'],
    ['what goes on has no space', ['look at @s', tab, 'a.ts'], 'look at @src/a.ts'],
    ['what all have in common', ['/', tab, 'e', tab], '/exit '],
    ['each of several in turn', ['/m', tab, tab, tab], '/mcp'],
    ['and backwards', ['/m', tab, keys.shiftTab], '/mcp'],
    ['nothing', ['x', tab], 'x'],
  ])('%s', async (_, pressed, text) => {
    const at = desk({ completions })
    const reading = at.read()
    await at.type(...pressed, enter)
    expect(await reading).toEqual({ kind: 'line', text })
  })

  it('shows the choices until another key is pressed', async () => {
    const at = desk({ completions })
    const reading = at.read()
    await at.type('/m', tab)
    expect(at.terminal.text).toEqual(['> /m', ' /model  /mcp'])
    await at.type('c')
    expect(at.terminal.text).toEqual(['> /mc'])
    await at.type(enter)
    await reading
  })
})

describe('while work is done', () => {
  it('takes the keys: Ctrl-C interrupts, the rest begins the next line', async () => {
    const at = desk()
    let interrupts = 0
    const release = at.reader.listen({ interrupt: () => interrupts++ })
    await at.type('forgotten', ctrl('c'), 'nex')
    expect({ interrupts, raw: at.isRaw(), text: at.terminal.text }).toEqual({ interrupts: 1, raw: true, text: [''] })
    release()
    expect(at.isRaw()).toBe(false)
    const reading = at.read()
    await at.type('t', enter)
    expect(await reading).toEqual({ kind: 'line', text: 'next' })
  })

  it('a question is asked in between', async () => {
    const at = desk()
    const release = at.reader.listen({ interrupt: () => {} })
    const reading = at.read({ answer: true })
    await at.type('', '', '', '')
    await at.type('y', enter)
    expect(await reading).toEqual({ kind: 'line', text: 'y' })
    expect(at.isRaw()).toBe(true)
    release()
    expect(at.isRaw()).toBe(false)
  })

  it('Ctrl-Z gives the terminal back until it goes on', async () => {
    let goOn!: () => void
    const at = desk({ suspend: () => new Promise((resolve) => (goOn = resolve)) })
    const reading = at.read()
    await at.type('ab', ctrl('z'))
    expect({ raw: at.isRaw(), modes: [...at.terminal.modes], text: at.terminal.text }).toEqual({ raw: false, modes: ['25'], text: [''] })
    goOn()
    await at.type('c', enter)
    expect(await reading).toEqual({ kind: 'line', text: 'abc' })
    expect(at.terminal.text).toEqual(['> abc', ''])
  })
})

describe('a stop from outside', () => {
  const stoppable = () => {
    const listeners = new Set<SuspendListener>()
    const onSuspend = (listener: SuspendListener): (() => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    }
    return { at: desk({ onSuspend }), listeners }
  }

  it('gives the terminal back until it goes on, and is no longer listened for when the line was read', async () => {
    const { at, listeners } = stoppable()
    const reading = at.read()
    await at.type('ab')
    for (const { suspended } of listeners) suspended()
    expect({ raw: at.isRaw(), modes: [...at.terminal.modes], text: at.terminal.text }).toEqual({ raw: false, modes: ['25'], text: [''] })
    at.terminal.write('$ fg\n')
    for (const { resumed } of listeners) resumed()
    expect({ raw: at.isRaw(), text: at.terminal.text }).toEqual({ raw: true, text: ['$ fg', '> ab'] })
    await at.type('c', enter)
    expect(await reading).toEqual({ kind: 'line', text: 'abc' })
    expect(listeners.size).toBe(0)
  })

  it('while work is done too, and when nobody was told that it came', async () => {
    const { at, listeners } = stoppable()
    const release = at.reader.listen({ interrupt: () => {} })
    for (const { suspended } of listeners) suspended()
    expect(at.isRaw()).toBe(false)
    for (const { resumed } of listeners) resumed()
    expect(at.isRaw()).toBe(true)
    for (const { resumed } of listeners) resumed()
    expect({ raw: at.isRaw(), modes: [...at.terminal.modes].sort() }).toEqual({ raw: true, modes: ['2004', '25'] })
    release()
    expect({ raw: at.isRaw(), modes: [...at.terminal.modes], listeners: listeners.size }).toEqual({
      raw: false,
      modes: ['25'],
      listeners: 0,
    })
  })
})

describe('what others write while a line is typed', () => {
  it('stands above it', async () => {
    const at = desk()
    const reading = at.read()
    await at.type('two words', left)
    at.reader.aside(() => at.terminal.write('! a warning\n'))
    expect([at.terminal.text, at.terminal.cursor]).toEqual([['! a warning', '> two words'], { row: 1, column: 10 }])
    await at.type(enter)
    expect(await reading).toEqual({ kind: 'line', text: 'two words' })
  })

  it('is simply written when none is', () => {
    const at = desk()
    at.reader.aside(() => at.terminal.write('! a warning\n'))
    expect(at.terminal.text).toEqual(['! a warning', ''])
  })
})

describe('a terminal that can only print', () => {
  it('reads a line and sends nothing but the prompt', async () => {
    const at = desk({ env: { TERM: 'dumb' } })
    const release = at.reader.listen({ interrupt: () => {} })
    const reading = at.read()
    await at.type('hello\n')
    expect(await reading).toEqual({ kind: 'line', text: 'hello' })
    release()
    expect({ text: at.terminal.text, raw: at.isRaw(), unknown: at.terminal.unknown }).toEqual({ text: ['>'], raw: false, unknown: [] })
  })
})
