import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { addDays } from '#contract/core/calendar.ts'
import { Level } from '#contract/core/levels.ts'
import { may } from '#contract/core/permissions.ts'
import {
  createCalendarFeed,
  createStaffCalendarFeed,
  getCalendar,
} from '#contract/scheduling/own-schedule.ts'
import { hashToken, newToken } from '#server/core/auth/session.ts'
import { type Db, workOn } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { notFound } from '#server/core/runtime/failure.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { todayIn } from '#server/core/runtime/today.ts'
import { siteScopeOf } from '../sites/scope.queries.ts'
import { listStaffEntries, listStudentEntries } from './calendar.queries.ts'
import { calendarText } from './calendar.rules.ts'

/** How many days back and ahead a calendar shows. */
const studentDays = { back: 60, ahead: 400 }
const staffDays = { back: 30, ahead: 180 }

const newAddress = async (
  db: Db,
  services: Services,
  whose: { program_id: number; account_id: number },
): Promise<{ Address: string }> => {
  const token = newToken()
  const token_hash = hashToken(token)
  await db
    .insertInto('calendar_feed')
    .values({ ...whose, token_hash })
    .onConflict((kept) =>
      kept.columns(['program_id', 'account_id']).doUpdateSet({ token_hash, created_at: sql<string>`now()` }),
    )
    .execute()
  return { Address: `${services.publicUrl()}${services.config.appRoot}/new/api/calendar/${token}.ics` }
}

export const calendarRoutes = [
  handle(createCalendarFeed, ({ db, user, services }) =>
    // A student always belongs to a program.
    newAddress(db, services, { program_id: user.ProgramId!, account_id: user.Id }),
  ),

  handle(createStaffCalendarFeed, ({ db, user, params, services }) =>
    newAddress(db, services, { program_id: params.programId, account_id: user.Id }),
  ),

  handle(getCalendar, async ({ db, params, services }) => {
    const token = params.file.replace(/\.ics$/, '')
    const { rows } = await sql<{
      program_id: number
      account_id: number
      access_level: Level
      program_name: string
    }>`select * from find_calendar_feed(${hashToken(token)})`.execute(db)
    const feed = rows[0]
    const reader = feed && { Id: feed.account_id, AccessLevel: feed.access_level, SuperAdminAreas: null }
    if (!feed || !reader || !(may(reader, 'schedule.own') || may(reader, 'scheduling.read')))
      throw notFound('This calendar')
    await workOn(db, [feed.program_id])
    const isStudent = feed.access_level === Level.Student
    const { back, ahead } = isStudent ? studentDays : staffDays
    const today = todayIn('UTC')
    const [from, through] = [addDays(today, -back), addDays(today, ahead)]
    const entries = isStudent
      ? await listStudentEntries(db, feed.program_id, feed.account_id, from, through)
      : await listStaffEntries(
          db,
          feed.program_id,
          { accountId: feed.account_id, scope: siteScopeOf(reader) },
          from,
          through,
        )
    const text = calendarText(
      isStudent ? 'Clinical schedule' : `Clinical schedule · ${feed.program_name}`,
      new URL(services.publicUrl()).hostname,
      entries,
    )
    return {
      name: 'schedule.ics',
      type: 'text/calendar; charset=utf-8',
      version: createHash('sha256').update(text).digest('base64url'),
      chunks: (async function* () {
        yield text
      })(),
    }
  }),
]
