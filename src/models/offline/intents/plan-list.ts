import { plural } from '../language/english.ts'
import { gap } from '../language/quotes.ts'
import type { Finding, Site } from '../site.ts'
import { act, failed, notOffered, refusal } from '../site.ts'
import type { Work } from '../work.ts'
import type { Intent } from './intent.ts'

const form =
  /^\W*(?:make|write|create|set|start|show me)\s+(?:me\s+)?(?:(?:a|the|my)\s+)?(?:(?:new|todo|to-do|task)\s+)*(?:plan|list|todo|todos|todo list)\s*(?::|\s(?:with|of|for)\s+(?:the\s+)?(?:(?:steps|items|todos|points)\s*:?\s+)?)\s*(.+)$/is
const maxSteps = 50

/** A plan of steps that the user names: the tool `todo` keeps it. */
export const planList: Intent = {
  name: 'plan',
  examples: ['make a plan: "read the code", "write a test"'],
  group: 'Change files',
  tools: ['todo'],
  starts: 'make (?:a|the|my) (?:todo )?(?:plan|list)',
  recognise: (phrase) => {
    const match = form.exec(phrase.text.replaceAll(gap, ' ').trim())
    if (!match) return undefined
    const steps = match[1]!
      .replace(/[.!]+$/, '')
      .split(/\s*(?:,|;|\n[-*\d.) ]*)\s*(?:and\s+)?|\s+and\s+/)
      .map((step) => phrase.plain(step).trim())
      .filter((step) => step !== '')
    if (steps.length < 2 || steps.length > maxSteps) return undefined
    phrase.takeAll()
    return { aim: 'write the plan', work: (site) => write(site, steps) }
  },
}

function* write(site: Site, steps: readonly string[]): Work<Finding> {
  if (!site.tools.has('todo')) {
    const lacking = notOffered(['todo'], 'write the plan')
    return failed(lacking.ok ? '' : lacking.said)
  }
  const todo = steps.map((text) => ({ text, status: 'pending' }))
  const outcome = yield* act(site, { tool: 'todo', input: { todo } })
  if (outcome.status === 'error') {
    const refused = refusal(outcome, 'write the plan')
    return failed(refused.ok ? '' : refused.said)
  }
  return {
    say: `The plan has ${plural(steps.length, 'step')}:\n\n${steps.map((step) => `- [ ] ${step}`).join('\n')}`,
    value: steps.join('\n'),
  }
}
