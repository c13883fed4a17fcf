import { expect, it } from 'vitest'
import { httpError } from '../../../src/providers/wire/http-error.ts'

const told = (status: number, body: string): string => httpError({ status, headers: new Headers() }, body, { provider: 'p' }, 0).message

it.each([
  [
    '<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title><style>body { color: red }</style></head><body><center><h1>502 Bad Gateway</h1></center><hr>nginx</body></html>',
    'p: 502 Bad Gateway nginx (HTTP 502)',
  ],
  [
    '<html><title>Attention!</title><script>track("x < y")</script><body><!-- hidden --><p>Sorry,&nbsp;you &amp; I</p></body></html>',
    'p: Attention!: Sorry, you & I (HTTP 502)',
  ],
  ['<?xml version="1.0"?><Error><Code>SlowDown</Code><Message>Later</Message></Error>', 'p: SlowDown Later (HTTP 502)'],
  ['<html><title>Just a moment...</title></html>', 'p: Just a moment... (HTTP 502)'],
  ['<400> InternalError: x', 'p: <400> InternalError: x (HTTP 502)'],
  ['upstream connect error', 'p: upstream connect error (HTTP 502)'],
])('of a page only its words are told: %s', (body, message) => expect(told(502, body)).toBe(message))

it('and of a long one the beginning', () => {
  expect(told(502, `<html>${'<style>'.repeat(20_000)}`).length).toBeLessThan(100)
  expect(told(502, `<html>${'<p>word</p>'.repeat(20_000)}`).length).toBeLessThan(2100)
})
