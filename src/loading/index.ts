export { toolsFrom } from './tools-from.ts'
export type { ToolsFromOptions } from './options.ts'
