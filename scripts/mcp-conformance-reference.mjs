// @ts-check
/**
 * How many checks of each scored scenario succeed for the official client, `@modelcontextprotocol/client` 2.4.0, driven as its own
 * repository drives it, in version 0.2.0-alpha.12 of the suite. Fewer than these means that something was not done at all, which
 * the suite itself lets pass.
 *
 * @type {Record<string, Record<string, number>>}
 */
export const reference = {
  '2025-11-25': {
    'auth/basic-cimd': 14,
    'auth/metadata-default': 19,
    'auth/metadata-var1': 19,
    'auth/metadata-var2': 19,
    'auth/metadata-var3': 19,
    'auth/pre-registration': 13,
    'auth/scope-from-scopes-supported': 15,
    'auth/scope-from-www-authenticate': 15,
    'auth/scope-omitted-when-undefined': 15,
    'auth/scope-retry-limit': 10,
    'auth/scope-step-up': 21,
    'auth/token-endpoint-auth-basic': 20,
    'auth/token-endpoint-auth-none': 20,
    'auth/token-endpoint-auth-post': 20,
    'elicitation-sep1034-client-defaults': 5,
    initialize: 1,
    'sse-retry': 3,
    tools_call: 2,
  },
  '2026-07-28': {
    'auth/authorization-server-migration': 27,
    'auth/basic-cimd': 12,
    'auth/iss-normalized': 8,
    'auth/iss-not-advertised': 14,
    'auth/iss-supported': 14,
    'auth/iss-supported-missing': 8,
    'auth/iss-unexpected': 8,
    'auth/iss-wrong-issuer': 8,
    'auth/metadata-default': 18,
    'auth/metadata-issuer-mismatch': 3,
    'auth/metadata-var1': 18,
    'auth/metadata-var2': 18,
    'auth/metadata-var3': 18,
    'auth/offline-access-not-supported': 14,
    'auth/offline-access-scope': 11,
    'auth/pre-registration': 10,
    'auth/resource-mismatch': 3,
    'auth/scope-from-scopes-supported': 14,
    'auth/scope-from-www-authenticate': 14,
    'auth/scope-omitted-when-undefined': 14,
    'auth/scope-retry-limit': 11,
    'auth/scope-step-up': 23,
    'auth/token-endpoint-auth-basic': 19,
    'auth/token-endpoint-auth-none': 19,
    'auth/token-endpoint-auth-post': 19,
    'http-custom-headers': 18,
    'http-invalid-tool-headers': 12,
    'http-standard-headers': 9,
    'json-schema-ref-no-deref': 1,
    'request-metadata': 8,
    'sep-2322-client-request-state': 5,
    tools_call: 2,
  },
}
