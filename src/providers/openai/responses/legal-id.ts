/** An id that the API takes: at most 64 characters, which other servers than OpenAI's own may exceed. */
export const legalId = (id: unknown): string | undefined => (typeof id === 'string' && /^[\x21-\x7e]{1,64}$/.test(id) ? id : undefined)
