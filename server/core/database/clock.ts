import { Client } from 'pg'
import { ConfigError } from '#server/core/config/config.ts'
import type { Log } from './log.ts'

const dayMs = 86_400_000
const moment = (milliseconds: number): string => `${new Date(milliseconds).toISOString().slice(0, 16)}Z`

/**
 * Compares the clock of this machine with the database's, whose clock counts for punches, and with the last moment at which the
 * installation is known to have run.
 *
 * @throws ConfigError when the two clocks are a day or more apart; a clock that has gone back by a day is a warning, because it may have
 * been ahead before
 */
export const checkClock = async (ownerUrl: string, log: Log, now = Date.now()): Promise<void> => {
  const client = new Client({ connectionString: ownerUrl })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ now: number; last: number }>(
      `select extract(epoch from clock_timestamp())::float8 * 1000 as now,
         coalesce(extract(epoch from greatest((select max(beat_at) from worker_beat),
           (select max(last_success_at) from system_check)))::float8 * 1000, 0) as last`,
    )
    const database = rows[0]!
    if (Math.abs(now - database.now) >= dayMs)
      throw new ConfigError(
        `The clock of this machine says ${moment(now)} and the database's ${moment(database.now)}: nothing was started; set both from a time server.`,
      )
    if (database.last - database.now >= dayMs)
      log.error(
        `The clock says ${moment(database.now)}, but Practicum already ran at ${moment(database.last)}: set the clock from a time server, unless it was ahead then.`,
      )
  } finally {
    await client.end().catch(() => {})
  }
}
