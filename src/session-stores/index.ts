export { fileSessions } from './file/file-sessions.ts'
export type { FileSessionsOptions } from './file/file-sessions.ts'
