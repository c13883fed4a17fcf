import type { ChildProcessByStdio } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { notNeeded, settle } from '../util/abort.ts'
import type { Clock } from '../util/clock.ts'
import { isObject } from '../util/json.ts'
import { tailOf } from '../util/text.ts'
import { lineSplitter } from './line-splitter.ts'
import type { McpProgram } from './options.ts'
import { environmentOf } from './process-environment.ts'
import { endWithUs, signalGroup } from '../util/process-group.ts'

type Child = ChildProcessByStdio<Writable, Readable, Readable>

/** How long a server has to end: after its input was closed, after SIGTERM, and after SIGKILL. */
const endAfterMs = 1000
/** What it wrote is read on for this long once it has ended. */
const drainMs = 200
/** Of its standard error, as characters. */
const keptErrorChars = 8192
/** More in one message is a server that runs wild. */
const maxMessageBytes = 256 * 1024 * 1024

/**
 * A server as a process of its own. It leads a group of processes, and the whole group ends with the connection: first its input
 * is closed, then SIGTERM, then SIGKILL, each with a second to take effect. What it writes to its standard error is kept, bounded,
 * for messages.
 */
export class ProcessTransport implements Transport {
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  onmessage?: Transport['onmessage']
  /** By these two the library sees that this is a pipe: a server that is silent about new requests is an old one. */
  readonly stderr = null
  pid: number | null = null

  readonly #program: McpProgram
  readonly #clock: Clock
  #child: Child | undefined
  #starting: Promise<void> = Promise.resolve()
  #exited: Promise<void> = Promise.resolve()
  #closing: Promise<void> | undefined
  #errors = ''
  #ending: string | undefined

  constructor(program: McpProgram, clock: Clock) {
    this.#program = program
    this.#clock = clock
  }

  /** The end of what it wrote to its standard error. */
  get errorTail(): string {
    return tailOf(this.#errors, keptErrorChars).trim()
  }

  /** How it ended, as the rest of a sentence. */
  get ending(): string | undefined {
    return this.#ending
  }

  start(): Promise<void> {
    return (this.#starting = this.#closing ? Promise.reject(new Error('Not connected')) : this.#start())
  }

  async #start(): Promise<void> {
    const { spawn } = await import('node:child_process')
    const { command, args = [], env, cwd } = this.#program
    const child = spawn(command, args, {
      cwd,
      env: environmentOf(process.env, env),
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
      windowsHide: true,
    })
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', reject)
    })
    this.#child = child
    this.pid = child.pid!
    const letGo = endWithUs(this.pid)
    // A later error says that a signal could not be sent, which shows in what happens then.
    child.on('error', () => {})
    child.stdin.on('error', (error) => this.onerror?.(error))
    child.stdout.on('error', (error) => this.onerror?.(error))
    child.stderr.on('error', () => {})
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#errors += text
      if (this.#errors.length > 2 * keptErrorChars) this.#errors = tailOf(this.#errors, keptErrorChars)
    })
    const split = lineSplitter(maxMessageBytes, (line) => this.#receive(line))
    child.stdout.on('data', (chunk: Buffer) => {
      try {
        split(chunk)
      } catch (error) {
        this.#ending ??= `sent a message of more than ${maxMessageBytes} bytes`
        this.onerror?.(error as Error)
        void this.close()
      }
    })
    const drained = new Promise<void>((resolve) => child.once('close', () => resolve()))
    this.#exited = new Promise((resolve) =>
      child.once('exit', (code, signal) => {
        this.#ending ??= signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`
        resolve()
        void this.#afterExit(child, drained, letGo)
      }),
    )
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin
    if (!stdin || this.#closing || !stdin.writable) throw new Error('Not connected')
    if (!stdin.write(`${JSON.stringify(message)}\n`)) await this.#roomIn(stdin)
  }

  /** Ends the group. Resolves when it has ended, within three seconds whatever it does. */
  close(): Promise<void> {
    return (this.#closing ??= this.#end())
  }

  #receive(line: string): void {
    if (line.trim() === '') return
    let message: unknown
    try {
      message = JSON.parse(line)
    } catch {
      // Programs print things where they should not; what is no message is not meant for us.
      return this.onerror?.(new Error(`A line of the server is no JSON: ${line.slice(0, 100)}`))
    }
    if (isObject(message)) this.onmessage?.(message as JSONRPCMessage)
  }

  /** Waits until more can be written; a server that reads no more holds nobody once it is gone. */
  #roomIn(stdin: Writable): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        stdin.off('drain', done).off('close', done)
        resolve()
      }
      stdin.once('drain', done).once('close', done)
    })
  }

  async #end(): Promise<void> {
    // Else one that is about to start would be left behind.
    await settle(this.#starting)
    const child = this.#child
    if (!child) return
    this.#ending ??= 'was closed'
    const timers = new AbortController()
    const wait = (): Promise<unknown> => Promise.race([this.#exited, this.#clock.sleep(endAfterMs, timers.signal)])
    const runs = (): boolean => child.exitCode === null && child.signalCode === null
    try {
      child.stdin.end()
      await wait()
      if (runs()) {
        signalGroup(child.pid!, 'SIGTERM')
        await wait()
      }
      // What it left behind goes too, whether or not it has ended itself.
      signalGroup(child.pid!, 'SIGKILL')
      await wait()
    } finally {
      timers.abort(notNeeded)
      this.#finish(child)
    }
  }

  /** It ended, of itself or not: reads what it still had to say, and ends what it left behind. */
  async #afterExit(child: Child, drained: Promise<void>, letGo: () => void): Promise<void> {
    const timers = new AbortController()
    await Promise.race([drained, this.#clock.sleep(drainMs, timers.signal)])
    timers.abort(notNeeded)
    signalGroup(child.pid!, 'SIGKILL')
    letGo()
    this.#closing ??= Promise.resolve()
    this.#finish(child)
  }

  #finish(child: Child): void {
    if (this.#child !== child) return
    this.#child = undefined
    child.stdin.destroy()
    child.stdout.destroy()
    child.stderr.destroy()
    this.onclose?.()
  }
}
