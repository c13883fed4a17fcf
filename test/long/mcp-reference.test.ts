import { referenceFlows } from '../mcp/support/reference-flows.ts'

referenceFlows('stdio')
referenceFlows('http')
referenceFlows('sse')
