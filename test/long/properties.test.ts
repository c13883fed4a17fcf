// Properties of which every run looks at few inputs, because each takes long; here at many more.
process.env['PROPERTY_RUNS'] ??= '250'

await import('../cli/screen/markdown/markdown-stream.test.ts')
await import('../cli/screen/picture.test.ts')
await import('../context/legal.test.ts')
await import('../models/offline/any-prompt.test.ts')
await import('../providers/framing.test.ts')
await import('../security/composed-commands.test.ts')
