import { SessionError } from '../../errors.ts'
import type { Tables } from '../rows.ts'
import { schemaVersion } from '../rows.ts'
import type { PostgresPool } from './pool.ts'

const undefinedTable = '42P01'
/** Of all migrations of Lena, whatever the tables are called. */
const lock = 1_816_227_425

/** Makes the tables when they are not there. Who may not make any can use them when they are. */
export async function migrate(pool: PostgresPool, tables: Tables): Promise<void> {
  const version = await versionOf(pool, tables).catch(async (error: { readonly code?: unknown }) => {
    if (error.code !== undefinedTable) throw error
    await pool.query(makeTables(tables))
    return await versionOf(pool, tables)
  })
  if (version === schemaVersion) return
  throw new SessionError(
    `The tables ${tables.sessions} have the version ${version}, and this lena-agent knows ${schemaVersion}. Update lena-agent.`,
    { code: 'session_version' },
  )
}

async function versionOf(pool: PostgresPool, { meta }: Tables): Promise<number | undefined> {
  const [row] = (await pool.query(`SELECT version FROM ${meta}`)).rows as readonly { readonly version: number }[]
  return row?.version
}

// Sent as one text, it is one transaction. The lock is held to its end: `IF NOT EXISTS` alone does not keep two from making one table.
const makeTables = ({ meta, sessions, records, index }: Tables): string => `
SELECT pg_advisory_xact_lock(${lock});
CREATE TABLE IF NOT EXISTS ${meta} (only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row), version integer NOT NULL);
CREATE TABLE IF NOT EXISTS ${sessions} (id text PRIMARY KEY, updated bigint NOT NULL, syncs bigint NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS ${records} (
  "row" bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  session text NOT NULL REFERENCES ${sessions} (id) ON DELETE CASCADE,
  record text NOT NULL
);
CREATE INDEX IF NOT EXISTS ${index} ON ${records} (session, "row");
INSERT INTO ${meta} (version) VALUES (${schemaVersion}) ON CONFLICT DO NOTHING;`
