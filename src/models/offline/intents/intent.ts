import type { Files } from '../language/names.ts'
import type { Phrase } from '../language/phrase.ts'
import type { Finding, Site } from '../site.ts'
import type { Work } from '../work.ts'

/** One understood request: what to do, and what later requests may refer to. */
export type Task = {
  /** As an infinitive: `read a.txt`. */
  readonly aim: string
  /** It changes something, or may: it keeps its place in the order, and is never half understood. */
  readonly acts?: 'writes' | 'runs' | undefined
  /** Half understood it would be another question. */
  readonly isExact?: boolean | undefined
  /** It needs what the step before found. */
  readonly usesPrevious?: boolean | undefined
  /** The files it takes something from, where those are not what it is about. */
  readonly from?: Files | undefined
  /** What "it" and "the file" mean after this. */
  readonly files?: Files | undefined
  /** What "there" and "that folder" mean after this. */
  readonly folder?: string | undefined
  /** It only fetches what a later request about the same files is after, and then says nothing itself. */
  readonly fetches?: boolean | undefined
  /** It says something of its own that is not a result: not for "the answer". */
  readonly isTalk?: boolean | undefined
  readonly work: (site: Site) => Work<Finding>
}

/** What was talked about so far. */
export type Talk = {
  readonly files: Files | undefined
  readonly folder: string | undefined
  /** There is a result that "it" can mean. */
  readonly hasPrevious: boolean
  /** A step before runs a command. */
  readonly ranCommand: boolean
  /** What this model said last, before the prompt. */
  readonly lastAnswer: string | undefined
  /** Understands a part of the request as one of its own. */
  readonly understand: (text: string) => Task | undefined
}

export const groups = ['Look at files', 'Find and count', 'Run commands', 'Change files'] as const
export type Group = (typeof groups)[number]

/**
 * One kind of request. To add one, write its file and put it into the table in `index.ts`; nothing else changes.
 */
export interface Intent {
  readonly name: string
  /** Requests it understands, for the help. */
  readonly examples: readonly string[]
  /** Under what the help lists them. */
  readonly group: Group
  /** Any one of these tools is enough; none: it needs no tool. */
  readonly tools: readonly string[]
  /** How such a request may begin, as the source of a regular expression: behind an "and" a new request begins there. */
  readonly starts: string
  /** Takes what it understands out of the phrase. What it leaves there counts as not understood. */
  readonly recognise: (phrase: Phrase, talk: Talk) => Task | undefined
}
