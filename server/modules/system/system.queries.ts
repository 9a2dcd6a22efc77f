import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from '#server/core/database/pool.ts'
import { findRestoredCopy } from '#server/core/runtime/restored-copy.ts'
import type { LastBackup, MailArrival } from './part.rules.ts'

/** How the last checks ended, by part. */
export const findChecks = async (db: Db) => {
  const rows = await db.selectFrom('system_check').selectAll().execute()
  return new Map(rows.map((row) => [row.part, row]))
}

/** When a worker last showed that it takes jobs, in milliseconds since 1970; 0 before the first time. */
export const findBeat = async (pool: pg.Pool): Promise<number> => {
  const { rows } = await pool.query<{ at: number }>(
    `select coalesce(max(extract(epoch from last_success_at) * 1000), 0)::float8 as at from system_check where part = 'worker'`,
  )
  return rows[0]!.at
}

/** The setting that says whether the email of the last test arrived. */
export const mailArrival = 'mail.arrival'

/** What came of the last backup; undefined before the first that is known here. */
export const findLastBackup = async (pool: pg.Pool): Promise<LastBackup | undefined> => {
  const { rows } = await pool.query<{ value: LastBackup }>(
    "select value from setting where name = 'backup.last'",
  )
  return rows[0]?.value
}

/** What is known of the email of the last test of the mail server. */
export const findMailArrival = async (db: Db): Promise<MailArrival | undefined> =>
  (await sql<{ value: MailArrival }>`select value from setting where name = ${mailArrival}`.execute(db))
    .rows[0]?.value

/** A worker checks every quarter of an hour; one that has missed two is not there. */
const lateAfter = sql.lit('35 minutes')

/** What is told of the database and the worker besides their checks. */
export const findSystemFigures = async (db: Db) => {
  const { rows } = await sql<{
    now: string
    version: string
    bytes: number
    is_worker_late: boolean
    job_error: string
  }>`
    select clock_timestamp() as now, current_setting('server_version') as version, pg_database_size(current_database())::float8 as bytes,
      not coalesce((select last_success_at > now() - ${lateAfter}::interval from system_check where part = 'worker'), false)
        as is_worker_late,
      coalesce((select task_identifier || ': ' || last_error from graphile_worker.jobs
        where locked_at is null and attempts >= max_attempts order by run_at desc limit 1), '') as job_error`.execute(
    db,
  )
  return rows[0]!
}

/** The installation is the real one from now on. False when it was no copy. */
export const endCopy = async (db: Db, sendsOld: boolean): Promise<boolean> => {
  if (!(await findRestoredCopy(db))) return false
  await sql`select end_copy(${sendsOld})`.execute(db)
  return true
}
