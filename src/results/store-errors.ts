import { AgentError } from '../errors.ts'

/** The path is of this store, and what it led to is not there any more. Or it never was: nobody can tell. */
export const notKept = (path: string): AgentError =>
  new AgentError(
    `No result is kept at ${JSON.stringify(path)}. Use a path exactly as a persisted-output reference gives it; results are removed with their conversation, and old ones for want of room. If it is gone, call the tool again.`,
    { code: 'result_not_found' },
  )

export const noRoom = (size: string, bound: string): AgentError =>
  new AgentError(`The result has ${size} and the result store has room for ${bound}.`, { code: 'result_store_full' })
