// The tests of the providers break the longest streams at a sample of their events; here they do it at every one.
process.env['EVERY_CUT'] = '1'

await import('../providers/anthropic/corpus.test.ts')
await import('../providers/bedrock/corpus.test.ts')
await import('../providers/google/corpus.test.ts')
await import('../providers/openai-responses/corpus.test.ts')
await import('../providers/openai/cut.test.ts')
