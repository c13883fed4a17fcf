// @ts-check
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * The licences of the packages that are a part of the bundle, as they ask to be shown.
 *
 * @param {import('esbuild').Metafile} metafile
 * @param {readonly string[]} allowed the packages that may be in it
 * @param {string} root
 * @returns {Promise<string>}
 * @throws when another package is in the bundle, or one has a licence that is not known here
 */
export async function licencesOf(metafile, allowed, root) {
  const inputs = new Set(Object.values(metafile.outputs).flatMap((output) => Object.keys(output.inputs)))
  const names = new Set([...inputs].flatMap((input) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? []))
  const others = [...names].filter((name) => !allowed.includes(name))
  if (others.length > 0) {
    throw new Error(
      `The bundle would contain ${others.join(', ')}. Add it to \`bundled\` in scripts/build.mjs, or make it a peer dependency.`,
    )
  }
  const parts = await Promise.all([...names].sort().map((name) => licenceOf(name, join(root, 'node_modules', name))))
  return ['lena-agent contains code of these packages.\n', ...parts].join(`\n${'-'.repeat(80)}\n\n`)
}

/** @param {string} name @param {string} folder */
async function licenceOf(name, folder) {
  const { version, license, author } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry))
  if (!file && license !== 'MIT') throw new Error(`${name} has no licence text, and its licence is ${license}.`)
  const text = file ? await readFile(join(folder, file), 'utf8') : mit(typeof author === 'string' ? author : author.name)
  return `${name} ${version} (${license})\n\n${text.trim()}\n`
}

/** The text of the licence, for a package that only names it. @param {string} holder */
const mit = (holder) => `MIT License

Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
`
