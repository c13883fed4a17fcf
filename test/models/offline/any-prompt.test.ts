import { fc, runs } from '../../support/fast-check.ts'
import { describe, expect, it } from 'vitest'
import type { FakeTool } from './fake-tools.ts'
import { folderOf } from './fake-tools.ts'
import { play } from './play.ts'
import { project } from './project.ts'

const words =
  'read show list count write append replace find search run save create delete copy summarise describe what which how many is are in of to from and then it its them the all first last line lines words files folder a.txt src README.md package.json *.ts "a b" `ls` "x" hello TODO not if don\'t please 3 , . ? : ``` \n'.split(
    ' ',
  )
const prompts = fc.oneof(
  fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 14 }).map((picked) => picked.join(' ')),
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.string({
    unit: fc.constantFrom(
      '`',
      '"',
      "'",
      ' ',
      'read',
      'write',
      ' to ',
      'a.txt',
      '\n',
      '\uE000',
      '0',
      '\uE001',
      '\uE002',
      '/',
      '*',
      '-',
      '(',
      '[',
    ),
    maxLength: 30,
  }),
)

describe('whatever is asked', () => {
  it('calls only tools that are offered, ends, says something, and says it again', async () => {
    const names = ['read_file', 'list_dir', 'write_file', 'shell', 'glob', 'grep']
    await fc.assert(
      fc.asyncProperty(prompts, fc.subarray(names), async (prompt, offered) => {
        const run = async () => {
          const { all } = folderOf(project)
          return play(prompt, { tools: Object.fromEntries(offered.map((name) => [name, all[name]!])) })
        }
        const { answer, turns } = await run()
        expect(answer.trim()).not.toBe('')
        expect(answer).not.toMatch(/[\uE000-\uE002]|undefined|\[object/)
        expect((await run()).turns).toEqual(turns)
      }),
      runs(50),
    )
  })

  it('takes any result', async () => {
    const results = fc.record({
      status: fc.constantFrom('success' as const, 'error' as const),
      text: fc.oneof(
        fc.string(),
        fc.constantFrom('exit_code: 1', '1\ta\n2\tb', '[3 more lines left: offset=4]', 'a/\nb', '<persisted-output path="x"/>'),
      ),
    })
    const some = [
      'read a.txt',
      'count the words of a.txt',
      'list src',
      'find all ts files',
      'search for x',
      'run `ls` and save the output to o.txt',
      'append "x" to a.txt',
      'what is this project?',
      'what does package.json depend on?',
      'read a.txt and write its first line to b.txt',
      'summarise all md files',
    ]
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...some), fc.array(results, { minLength: 1, maxLength: 6 }), async (prompt, given) => {
        let at = 0
        const tool: FakeTool = () => given[at++ % given.length]!
        const { answer } = await play(prompt, { tools: { read_file: tool, list_dir: tool, write_file: tool, shell: tool } })
        expect(answer.trim()).not.toBe('')
      }),
      runs(50),
    )
  })
})
