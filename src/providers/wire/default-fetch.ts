import { nodeHttpFetch } from './node-http.ts'

/** How requests go out when the user gives no `fetch`: over Node's HTTP client on Node, over the platform's `fetch` elsewhere. */
export const defaultFetch = (): typeof globalThis.fetch =>
  globalThis.process?.versions?.node === undefined ? globalThis.fetch : (nodeHttpFetch as unknown as typeof globalThis.fetch)
