export { permissions } from './permissions.ts'
export type { ApprovalAnswer, ApprovalRequest, PermissionOptions } from './permissions.ts'
