import { expect, test } from 'vitest'
import { outputBuffer } from '../../../src/toolkit/process/output-buffer.ts'

test('keeps all of what is not too long, however it comes', () => {
  const buffer = outputBuffer(100)
  for (let i = 0; i < 10; i++) buffer.write('0123456789')
  expect({ text: buffer.text(100), length: buffer.length }).toEqual({ text: '0123456789'.repeat(10), length: 100 })
})

test('leaves out the middle, says how much, and is never longer than asked for', () => {
  const buffer = outputBuffer(1000)
  buffer.write('start ')
  for (let i = 0; i < 10_000; i++) buffer.write('0123456789')
  buffer.write(' end')
  const text = buffer.text(90)
  const [, head, left, tail] = /^(.*)\n\[… (\d+) characters left out …\]\n(.*)$/s.exec(text)!
  expect({
    isShort: text.length <= 90,
    head: head!.slice(0, 8),
    tail: tail!.slice(-6),
    all: head!.length + Number(left) + tail!.length,
  }).toEqual({ isShort: true, head: 'start 01', tail: '89 end', all: 100_010 })
})

test('no cut goes through a character', () => {
  for (let shift = 0; shift < 4; shift++) {
    const buffer = outputBuffer(100)
    buffer.write('x'.repeat(shift) + '🙂'.repeat(500))
    expect(/\p{Surrogate}/u.test(buffer.text(100))).toBe(false)
    expect(/\p{Surrogate}/u.test(buffer.lastLines(5, 33))).toBe(false)
  }
})

test('the last lines', () => {
  const buffer = outputBuffer(100)
  buffer.write('1\n2\n3\n4')
  expect([buffer.lastLines(2, 50), buffer.lastLines(9, 3)]).toEqual(['3\n4', '3\n4'])
})

test('the last lines do not begin within a character', () => {
  const output = outputBuffer(100)
  output.write('a\n🙂b')
  expect([output.lastLines(1, 2), output.lastLines(1, 3), output.lastLines(2, 100)]).toEqual(['b', '🙂b', 'a\n🙂b'])
})
