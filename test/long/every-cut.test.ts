// The tests of the providers break the longest streams at a sample of their events, and do not send them byte by byte. Here
// they do both, with each event.
process.env['EVERY_CUT'] = '1'

await import('../providers/anthropic/corpus.test.ts')
await import('../providers/bedrock/corpus.test.ts')
await import('../providers/google/corpus.test.ts')
await import('../providers/openai-responses/corpus.test.ts')
await import('../providers/openai/corpus.test.ts')
await import('../providers/openai/cut.test.ts')
