import type { Tables } from '../rows.ts'

/** Each is one statement, and so one transaction: a connection that is lost, or a query that is left behind, leaves no half of it. */
export type Statements = Readonly<Record<'load' | 'append' | 'sync' | 'list' | 'remove', string>>

/** Waits at its commit for the disk, even where the database is told not to. Not less than it is told, where that is more. */
const onDisk = `set_config('synchronous_commit', replace(current_setting('synchronous_commit'), 'off', 'on'), true)`

export const statements = ({ sessions, records }: Tables): Statements => ({
  load: `SELECT "row"::text AS "row", record FROM ${records} WHERE session = $1 AND "row" > $2::bigint ORDER BY ${records}."row"`,
  // The session's own row comes first. Its lock is held to the commit, so that who gets the lower numbers is seen first: a reader's cursor
  // passes nobody who is still to come.
  append: `WITH session AS (
    INSERT INTO ${sessions} AS s (id, updated) VALUES ($1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
    ON CONFLICT (id) DO UPDATE SET updated = excluded.updated
    RETURNING s.id, CASE WHEN $3::boolean THEN ${onDisk} END
  )
  INSERT INTO ${records} (session, record)
  SELECT session.id, given.record FROM session CROSS JOIN unnest($2::text[]) WITH ORDINALITY AS given (record, place) ORDER BY place`,
  // A change of something: a commit that changed nothing waits for nothing.
  sync: `UPDATE ${sessions} SET syncs = syncs + 1 WHERE id = $1 RETURNING ${onDisk}`,
  list: `SELECT id, updated::text AS updated FROM ${sessions} ORDER BY ${sessions}.updated DESC, id`,
  remove: `DELETE FROM ${sessions} WHERE id = $1`,
})
