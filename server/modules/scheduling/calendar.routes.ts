import { createHash } from 'node:crypto'
import { addDays } from '#contract/core/calendar.ts'
import { Level } from '#contract/core/levels.ts'
import { may } from '#contract/core/permissions.ts'
import { schedulingFailures } from '#contract/scheduling/failures.ts'
import {
  type CalendarFeed,
  createCalendarFeed,
  createSiteCalendarFeed,
  createStaffCalendarFeed,
  endCalendarFeed,
  endSiteCalendarFeed,
  endStaffCalendarFeed,
  getCalendar,
  getCalendarFeed,
  getSiteCalendarFeed,
  getStaffCalendarFeed,
} from '#contract/scheduling/own-schedule.ts'
import { hashToken, newToken } from '#server/core/auth/session.ts'
import { type Db, transaction, workOn } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { todayIn } from '#server/core/runtime/today.ts'
import { siteScopeOf } from '../sites/scope.queries.ts'
import { findFeed } from './calendar.across.ts'
import { type CalendarOwner, endFeed, noteFeedRead, openFeed } from './calendar.commands.ts'
import { listStaffEntries, listStudentEntries } from './calendar.queries.ts'
import { calendarText } from './calendar.rules.ts'

/** How many days back and ahead a calendar shows. */
const studentDays = { back: 60, ahead: 400 }
const staffDays = { back: 30, ahead: 180 }

/** What somebody has of whom a calendar tells: their own shifts, those of the program, or who comes to their sites. */
const calendarRights = ['schedule.own', 'scheduling.read', 'expected-students.read'] as const

/** Of the own shifts, and of the own sites. */
const ownerOf = (user: { Id: number; ProgramId: number | null }): CalendarOwner => ({
  // Students and people of sites always belong to a program.
  program_id: user.ProgramId!,
  account_id: user.Id,
})

const feedOf = async (db: Db, { program_id, account_id }: CalendarOwner): Promise<CalendarFeed | null> =>
  (await db
    .selectFrom('calendar_feed')
    .select(['created_at as CreatedAt', 'last_read_at as LastReadAt'])
    .where('program_id', '=', program_id)
    .where('account_id', '=', account_id)
    .executeTakeFirst()) ?? null

const endOwnFeed = async (db: Db, whose: CalendarOwner): Promise<Record<string, never>> => {
  await endFeed(db, whose)
  return {}
}

const newAddress = async (db: Db, services: Services, whose: CalendarOwner): Promise<{ Address: string }> => {
  const token = newToken()
  await openFeed(db, whose, hashToken(token))
  return { Address: `${services.publicUrl()}${services.config.appRoot}/new/api/calendar/${token}.ics` }
}

export const calendarRoutes = [
  handle(getCalendarFeed, ({ db, user }) => feedOf(db, ownerOf(user))),
  handle(endCalendarFeed, ({ db, user }) => endOwnFeed(db, ownerOf(user))),
  handle(getSiteCalendarFeed, ({ db, user }) => feedOf(db, ownerOf(user))),
  handle(endSiteCalendarFeed, ({ db, user }) => endOwnFeed(db, ownerOf(user))),
  handle(getStaffCalendarFeed, ({ db, user, params }) =>
    feedOf(db, { program_id: params.programId, account_id: user.Id }),
  ),
  handle(endStaffCalendarFeed, ({ db, user, params }) =>
    endOwnFeed(db, { program_id: params.programId, account_id: user.Id }),
  ),

  handle(createCalendarFeed, ({ db, user, services }) => newAddress(db, services, ownerOf(user))),
  handle(createSiteCalendarFeed, ({ db, user, services }) => newAddress(db, services, ownerOf(user))),

  handle(createStaffCalendarFeed, ({ db, user, params, services }) =>
    newAddress(db, services, { program_id: params.programId, account_id: user.Id }),
  ),

  handle(getCalendar, async ({ db, params, services }) => {
    const token = params.file.replace(/\.ics$/, '')
    const feed = await findFeed(db, hashToken(token))
    const reader = feed && { Id: feed.account_id, AccessLevel: feed.access_level, SuperAdminAreas: null }
    if (!feed || !reader || !calendarRights.some((one) => may(reader, one)))
      throw fail(schedulingFailures.no_calendar)
    // Reading calls change nothing in their transaction; this is beside it.
    await transaction(services.pool, { accountId: null, programIds: [feed.program_id] }, (beside) =>
      noteFeedRead(beside, feed, hashToken(token)),
    )
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
