import { referenceFlows } from './support/reference-flows.ts'

// Over HTTP and SSE: `test/long/mcp-reference.test.ts`.
referenceFlows('stdio')
