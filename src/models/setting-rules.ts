import { aNumber, aText, anObject, oneOf, wholeFrom } from '../util/check-options.ts'
import type { Rule, RulesOf } from '../util/check-options.ts'
import { isObject } from '../util/json.ts'
import type { ModelSettings } from './model.ts'

const [, isText] = aText
const [, isCount] = wholeFrom(1)
const [, isEffort] = oneOf('low', 'medium', 'high')

const thinking: Rule = [
  'false or an object such as { effort: "medium" } or { budgetTokens: 8000 }',
  (value) =>
    value === false ||
    (isObject(value) &&
      Object.entries(value).every(
        ([name, of]) => of === undefined || (name === 'effort' ? isEffort(of) : name === 'budgetTokens' && isCount(of)),
      )),
]

/** What each setting must be; what a number may be is for the provider to say. */
export const settingRules: RulesOf<ModelSettings> = {
  maxTokens: wholeFrom(1, 'tokens'),
  temperature: aNumber,
  topP: aNumber,
  stopSequences: [
    'a list of texts that are not empty',
    (value) => Array.isArray(value) && value.every((each) => isText(each) && each !== ''),
  ],
  thinking,
  extra: anObject,
}
