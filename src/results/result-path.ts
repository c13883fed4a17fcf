import { basename, dirname } from 'node:path'

/** `<folder>/<conversation>/result-<32 hex digits>-<characters>.txt` */
const filePattern = /^result-[0-9a-f]{32}-(\d{1,15})\.txt$/
const conversationPattern = /^c-[0-9a-f]{32}$/

/** Loaded when it is needed: a terminal agent starts without it. */
const crypto = () => import('node:crypto')

/** Ids come from anywhere and may hold anything; their folder has a name that is always one. */
export const conversationFolder = async (conversationId: string): Promise<string> =>
  `c-${(await crypto()).createHash('sha256').update(conversationId).digest('hex').slice(0, 32)}`

/** A name that cannot be guessed (128 random bits). It has the length of the text, so that the end need not be looked for. */
export const newFileName = async (chars: number): Promise<string> =>
  `result-${(await crypto()).randomBytes(16).toString('hex')}-${chars}.txt`

export const isConversationFolder = (name: string): boolean => conversationPattern.test(name)
export const isResultName = (name: string): boolean => filePattern.test(name)

/** Characters of a result, by its name. */
export const charsInName = (path: string): number => Number(filePattern.exec(basename(path))?.[1] ?? 0)

/** Does the path look like one of a stored result? Nobody else gives files such names. Says nothing of rights. */
export const looksLikeResult = (path: string): boolean => isResultName(basename(path)) && isConversationFolder(basename(dirname(path)))
