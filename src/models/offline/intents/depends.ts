import { contentOf, eachFile, partNote } from '../acts/each-file.ts'
import type { FileText } from '../acts/read-file.ts'
import { dependenciesIn } from '../facts/dependencies.ts'
import { filesSaid, takeFiles } from '../language/files.ts'
import type { Files } from '../language/names.ts'
import type { Finding } from '../site.ts'
import type { Intent } from './intent.ts'

const forms: readonly RegExp[] = [
  /\b(?:what|which)\s+(?:(?:other\s+)?(?:packages?|modules?|libraries|dependencies|things?|files?)\s+)?(?:does\s+|do\s+)?(?=.*\bdepends?\s+(?:up)?on\b)/i,
  /\b(?:what|which)\s+(?:other\s+)?(?:packages|modules|libraries)\s+(?:does\s+|do\s+)?(?=.*\b(?:uses?|needs?|requires?|imports?)\b)/i,
  /\b(?:what|which)\s+(?:are\s+|does\s+|do\s+)?(?:the\s+)?(?=.*\b(?:runtime\s+|dev\s+)?dependencies\b)/i,
  /\bwhat\s+(?:does\s+)?(?=\S+\s+imports?\W*$)/i,
  /^\W*(?:list|show|name|give|tell|get|count)?\s*(?:me\s+)?(?:all\s+)?(?:of\s+)?(?:the\s+|its\s+)?(?=.*\bdependencies\b)/i,
]

const project = /\b(?:this|the|my|our)\s+(?:project|package|repo|repository|app|application|module|code|codebase|workspace)\b|\bwe\b|\bi\b/i

export const depends: Intent = {
  name: 'depends',
  examples: ['what does package.json depend on?'],
  group: 'Look at files',
  tools: ['read_file'],
  starts: 'what|which|list|show|dependencies',
  recognise: (phrase, talk) => {
    // "dev dependencies" alone are a part of them.
    if (phrase.has(/\b(?:dev|peer)(?:elopment)?[\s-]?dependenc/i)) return undefined
    if (!phrase.has(/\b(?:depends?\s+(?:up)?on|dependenc(?:y|ies)|imports?|packages|modules|libraries)\b/i)) return undefined
    if (!forms.some((form) => phrase.take(form) !== undefined) && !phrase.has(/^\W*(?:the\s+|its\s+)?dependencies\b/i)) return undefined
    const files = takeFiles(phrase, talk) ?? (phrase.take(project) ? manifest : undefined)
    const named = phrase.take(
      /\b(?:depends?\s+(?:up)?on|(?:has|have)?\s*(?:the\s+|its\s+)?(?:direct\s+)?dependencies(?:\s+(?:are\s+there|of|in|from|does|has))?|uses?|needs?|requires?|imports?)\b/i,
    )
    phrase.take(/\b(?:does|do|has|have|say|says|list|lists)\b/i)
    if (!named) return undefined
    const about = files ?? talk.files ?? (phrase.leftovers().length === 0 ? manifest : undefined)
    if (!about) return undefined
    return {
      aim: `tell what ${filesSaid(about)} depends on`,
      files: about,
      usesPrevious: about.type === 'found',
      work: (site) => eachFile(site, about, { range: { whole: true }, make: reported }),
    }
  },
}

/** What "this project" is described by, as far as this model knows. */
const manifest: Files = { type: 'named', paths: ['package.json'] }

function reported(file: FileText): Finding {
  if (!file.complete) return { say: `${partNote(file)} So I do not say what \`${file.path}\` depends on.`, failed: true }
  const { ok, say, names } = dependenciesIn(file.path, contentOf(file))
  return { say, value: names.join('\n'), failed: !ok }
}
