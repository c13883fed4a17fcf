export { fileJournal } from './file-journal.ts'
export type { Journal, JournalOptions } from './file-journal.ts'
export { JournalError } from './journal-error.ts'
