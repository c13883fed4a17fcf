import type { Tool } from '../tools/tool.ts'
import { validationMessage } from '../tools/validation-message.ts'
import type { OutputSpec } from './output-spec.ts'

/** The tool whose call is the answer. It does nothing: that its input is valid is all. */
export function answerTool(spec: OutputSpec, name: string): Tool {
  return {
    name,
    description: 'Gives the final answer. Call it once, as the last tool, when you are done; then the conversation ends.',
    inputSchema: spec.jsonSchema,
    isReadOnly: true,
    isConcurrencySafe: true,
    maxResultChars: Infinity,
    validate: async (input) => {
      const result = await spec.validate(input)
      return result.issues ? { issues: result.issues } : { value: input }
    },
    run: () => 'The answer was taken.',
  }
}

/** What is wrong with an answer that was given as a text. */
export const answerFaults = (spec: OutputSpec, answer: unknown, issues: Parameters<typeof validationMessage>[2]): string =>
  validationMessage(spec.name, answer, issues).replace('Nothing was run.', 'Give it again, as JSON and nothing else.')
