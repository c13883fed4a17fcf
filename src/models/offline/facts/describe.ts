import { describeJson } from './json.ts'
import { kindOf } from './kind.ts'
import { describeMarkdown } from './markdown.ts'
import { describePackage } from './package-json.ts'
import { describeText } from './plain-text.ts'
import { describeCode } from './source-code.ts'

const describers = { package: describePackage, json: describeJson, markdown: describeMarkdown, code: describeCode, text: describeText }

/** What can be said of a file without understanding it, by its kind. */
export function describe(path: string, content: string): string {
  const text = content.replaceAll('\r\n', '\n')
  return text.trim() === '' ? describeText(path, text) : describers[kindOf(path)](path, text)
}
