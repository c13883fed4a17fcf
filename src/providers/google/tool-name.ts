/** A name must begin with a letter or `_`. Ours have no dot, so what this stands before can be told apart. */
const mark = '_.'

/** A tool's name as the API takes it. */
export const wireName = (name: string): string => (/^[a-zA-Z_]/.test(name) ? name : mark + name)

/** The tool's own name again. */
export const ownName = (name: string): string => (name.startsWith(mark) ? name.slice(mark.length) : name)
