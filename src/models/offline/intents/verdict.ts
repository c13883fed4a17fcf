import { done } from '../work.ts'
import type { Intent } from './intent.ts'

const form =
  /^\W*(?:(?:say|tell me|see|check|report|show)\s+)?(?:(?:whether|if)\s+(?:it|they|that|the (?:tests?|command|build))\s+(?:has |have |all )?(?:pass(?:ed|es)?|work(?:ed|s)?|succeed(?:ed|s)?|fail(?:ed|s)?|ran|went well|was successful|is ok)|did\s+(?:it|they|that|the (?:tests?|command|build))\s+(?:pass|work|succeed|fail|run)|(?:what|which)\s+(?:is|was)?\s*(?:the|its)\s+exit code(?:\s+(?:is|was))?|(?:the|its)\s+exit code|how it (?:went|ended))\W*$/i

/** "… and tell me whether it passed": of the command before. */
export const verdict: Intent = {
  name: 'verdict',
  examples: [],
  group: 'Run commands',
  tools: [],
  starts: 'whether|if it|if they|did|the exit code',
  recognise: (phrase, talk) => {
    if (!talk.ranCommand || !phrase.take(form)) return undefined
    return {
      aim: 'say how the command ended',
      usesPrevious: true,
      work: ({ previous }) => {
        const exitCode = previous?.exitCode
        if (exitCode === undefined) return done({ say: 'How it ended I cannot tell: I have no exit code.', failed: true })
        return done({
          say: exitCode === 0 ? 'It succeeded: the exit code is 0.' : `It failed: the exit code is ${exitCode}.`,
          value: String(exitCode),
          exitCode,
        })
      },
    }
  },
}

/** "… and show me the output": it is shown anyway. */
export const again: Intent = {
  name: 'again',
  examples: [],
  group: 'Run commands',
  tools: [],
  starts: 'show|print|tell|give|say|report',
  recognise: (phrase, talk) => {
    if (
      !talk.hasPrevious ||
      !phrase.take(
        /^\W*(?:show|print|tell|give|say|report|display)\s+(?:me\s+)?(?:the\s+|its\s+|all\s+(?:the\s+)?)?(?:outputs?|results?|answers?|findings|it|them|what (?:it|they) (?:prints?|says?|printed|said)|what you (?:found|find|see|saw))\W*$/i,
      )
    )
      return undefined
    return {
      aim: 'show the result',
      usesPrevious: true,
      work: ({ previous }) => done({ ...previous, say: previous?.say ? '' : (previous?.value ?? '') }),
    }
  },
}
