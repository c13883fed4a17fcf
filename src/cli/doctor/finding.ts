import type { Io } from '../io.ts'

/** What was found of one thing. `note`: it is missing, and Lena goes without. `bad`: it keeps Lena from working. */
export type Finding = { readonly state: 'good' | 'note' | 'bad'; readonly about: string; readonly said: string }

/** Looks at something; never throws, and takes no longer than a few seconds. */
export type Check = (place: { readonly io: Io; readonly workspace: string }) => Promise<readonly Finding[]>
