// Syntax that no Node reads by leaving the types out, and a neighbour in TypeScript.
import { greeting } from './neighbour.ts'

// @ts-expect-error -- our own rules do not allow it, a user's may
namespace Words {
  export const end = '!'
}

export default ({ text }: { text: string }): string => greeting + text + Words.end
