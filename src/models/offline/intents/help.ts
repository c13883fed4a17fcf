import type { Site } from '../site.ts'
import { done } from '../work.ts'
import type { Intent, Task } from './intent.ts'
import { groups } from './intent.ts'

const greeting =
  /^\W*(?:hi|hello|hey|hiya|howdy|good (?:morning|afternoon|evening|day)|greetings|yo|hallo|moin)(?:\s+(?:there|lena|all|everybody|you|again))*\W*$/i
const thanks =
  /^\W*(?:thanks?(?: you)?(?: very much| so much| a lot)?|thx|cheers|great|nice|perfect|cool|good job|well done|awesome|ok(?:ay)?|bye|goodbye|see you|that is all|that's all)(?:\s+(?:lena|work|job|thanks|thank you))*\W*$/i
const help =
  /^\W*(?:help(?:\s+me)?|what can(?:'t|not)? you (?:do|not do)(?:\s+for me)?|what do you (?:do|understand|know)|what are you(?: able to do| capable of)?|who are you|what is lena|who is lena|who (?:made|built|created|wrote) you|how (?:do|can) i use (?:you|this|lena)|introduce yourself|how do(?:es)? (?:this|you|it|lena) work|what (?:model|llm|ai) (?:is this|are you|do you use|am i using|am i talking to)|which (?:model|llm|ai) (?:is this|are you|do you use)|are you (?:a |an )?(?:real |large |language |ai |local )*(?:model|llm|ai|bot|robot|human|person|gpt|chatgpt|claude|gemini|offline|online)\w*|what(?:'s| is) your name|what are your (?:limits|limitations|abilities|capabilities)|what commands (?:are there|do you (?:know|understand)|can i use)|usage|examples|commands|\?)\W*$/i
const realModel =
  /^\W*(?:how (?:do|can|could|to)\s*(?:i|we)?\s+)?(?:get|use|choose|select|set(?: up)?|configure|add|switch(?: to)?|connect|change)?\s*(?:a|an|another|the|to|my)*\s*(?:real|better|different|proper|other|language|larger|smarter)?\s*(?:language )?(?:model|llm|api key|key|openai|claude|gpt)(?:\s+(?:key|model))?\W*$/i

/** What it says of itself: what it is, what it is not, and how to get more. */
export const whatItIs =
  "I am Lena's built-in offline model: a small set of rules, not a language model. I need no key, no network and no download, and I understand plain English requests about files and commands. I cannot reason, chat, or write code or texts."

export const howToGetMore =
  'For everything else choose a real model: set a key such as `OPENAI_API_KEY` in the environment, or start Lena with `--model provider/name`.'

/** Greetings, help, questions about itself. `intents` are all that there are: their examples are what it understands. */
export const helpFor = (intents: () => readonly Intent[]): Intent => ({
  name: 'help',
  examples: [],
  group: 'Look at files',
  tools: [],
  starts: 'help|who are you|what can you do|what are you',
  recognise: (phrase) => {
    if (phrase.take(thanks)) return talk(() => 'You are welcome. Say `help` to see what I can do.')
    if (phrase.take(realModel)) return talk(() => `${howToGetMore}\n\n${whatItIs}`)
    const greets = phrase.take(greeting) !== undefined
    return greets || phrase.take(help)
      ? talk((site) => `${greets ? 'Hello! ' : ''}${whatItIs}\n\n${abilities(site.tools, intents())}\n\n${howToGetMore}`)
      : undefined
  },
})

const talk = (say: (site: Site) => string): Task => ({ aim: 'say what I am', isTalk: true, work: (site) => done({ say: say(site) }) })

/** What can be asked with the tools that are offered, as examples. */
export function abilities(tools: ReadonlySet<string>, intents: readonly Intent[]): string {
  const able = intents.filter(({ examples, tools: needed }) => examples.length > 0 && needed.some((tool) => tools.has(tool)))
  if (able.length === 0)
    return `${tools.size === 0 ? 'No tools are' : 'None of the tools that I know is'} offered here, so there is nothing that I could do: I work with \`read_file\`, \`list_dir\`, \`write_file\` and \`shell\`.`
  const lines = groups
    .map((group) => ({ group, examples: able.filter((intent) => intent.group === group).flatMap(({ examples }) => examples) }))
    .filter(({ examples }) => examples.length > 0)
  return `You can ask me, for example:\n\n${lines.map(({ group, examples }) => `- ${group}: ${examples.map((example) => `“${example}”`).join(', ')}`).join('\n')}\n\nSeveral things at once are fine, joined with “and” or “then”.`
}
