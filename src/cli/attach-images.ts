import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { ImageBlock, UserBlock } from '../index.ts'
import type { Environment } from './io.ts'
import { errorText } from './error-text.ts'
import { UsageError } from './usage-error.ts'

/** As much as providers take in one message, with room for the rest of it. */
const [mostImages, mostBytes] = [10, 15_000_000]
/** 5 MB as base64, what the strictest provider takes. */
const maxBytes = 3_750_000

export type Attached = {
  readonly blocks: readonly UserBlock[]
  /** What was attached, for the person. */
  readonly shown: readonly string[]
}

/**
 * The images that a text names, as `@shot.png`, `@"with a space.png"` or `@with\ a\ space.jpg`, each once. The text itself stays as it
 * is: any other file that it names the model reads itself, with the tool that is for it.
 *
 * @throws {UsageError} for one that is missing, too large, or no image.
 */
export async function imagesIn(
  text: string,
  { workspace, env, signal }: { readonly workspace: string; readonly env: Environment; readonly signal: AbortSignal },
): Promise<Attached> {
  const named = imageNamesIn(text)
  if (named.length === 0) return { blocks: [], shown: [] }
  if (named.length > mostImages) throw new UsageError(`A message can have ${mostImages} images, this one names ${named.length}.`)
  const blocks: ImageBlock[] = []
  const shown: string[] = []
  let size = 0
  for (const name of named) {
    const path = resolve(workspace, name.startsWith('~/') ? `${env['HOME'] ?? '~'}${name.slice(1)}` : name)
    size += await sizeOf(path, name)
    if (size > mostBytes)
      throw new UsageError(`The images of a message can have ${mostBytes} bytes together. Send some of them with the next one.`)
    const { block, about } = await read(path, name, workspace, signal)
    blocks.push(block)
    shown.push(about)
  }
  return { blocks, shown }
}

/** The paths of images behind an `@` that begins a word. */
export function imageNamesIn(text: string): readonly string[] {
  const names = new Set<string>()
  for (const [, quoted, word = ''] of text.matchAll(/(?<!\S)@(?:"([^"\n]+)"|((?:\\\s|\S)+))/g)) {
    // A sign at the end belongs to the sentence.
    const name = quoted ?? withoutEnd(word).replaceAll(/\\(\s)/g, '$1')
    if (/\.(?:png|jpe?g|gif|webp)$/i.test(name)) names.add(name)
  }
  return [...names]
}

function withoutEnd(word: string): string {
  let end = word.length
  while (end > 0 && /[?!.,;:)\]}'"»”]/.test(word[end - 1]!)) end--
  return word.slice(0, end)
}

async function sizeOf(path: string, name: string): Promise<number> {
  const shown = JSON.stringify(name)
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR')
      throw new UsageError(`There is no image ${shown}: ${path} does not exist. In quotes, "@${name}", it is only text.`)
    throw new UsageError(`The image ${shown} cannot be read (${error.code}).`)
  })
  if (!stats.isFile()) throw new UsageError(`${shown} is no image, but ${stats.isDirectory() ? 'a folder' : 'no regular file'}.`)
  if (stats.size > maxBytes)
    throw new UsageError(`The image ${shown} has ${stats.size} bytes; ${maxBytes} can be sent. Make a smaller copy of it first.`)
  return stats.size
}

async function read(
  path: string,
  name: string,
  workspace: string,
  signal: AbortSignal,
): Promise<{ readonly block: ImageBlock; readonly about: string }> {
  const shown = JSON.stringify(name)
  // What is an image, and a whole one, the tool knows. It is loaded with those that need it.
  const { readFile } = await import('./workbench.ts')
  let content
  try {
    content = await readFile({ workspace })({ path }, { signal })
  } catch (error) {
    signal.throwIfAborted()
    const said = errorText(error, {}).replaceAll(JSON.stringify(path), shown)
    throw new UsageError(said.includes('binary file') ? notOne(shown) : said.replace('read_file shows images', 'a model takes images'))
  }
  const block = typeof content === 'string' ? undefined : content.find((each) => each.type === 'image')
  const text = typeof content === 'string' ? undefined : content.find((each) => each.type === 'text')?.text
  if (block?.type !== 'image') throw new UsageError(notOne(shown))
  return { block, about: `${name}${(text ?? '').slice(path.length)}` }
}

const notOne = (shown: string): string => `${shown} is no image: its content is not that of a PNG, JPEG, GIF or WebP file.`
