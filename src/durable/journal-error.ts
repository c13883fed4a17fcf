import { AgentError } from '../errors.ts'

/**
 * The journal cannot be used. `code` says why: `journal_locked`, `journal_damaged`, `journal_parts` (the program does something
 * else than it did when the record was made), `journal_closed`.
 */
export class JournalError extends AgentError {}
