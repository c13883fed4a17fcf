import { referenceFlows } from '../mcp/support/reference-flows.ts'

referenceFlows('http')
referenceFlows('sse')
