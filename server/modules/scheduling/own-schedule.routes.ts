import { sql } from 'kysely'
import { addDays } from '#contract/core/calendar.ts'
import * as contract from '#contract/scheduling/own-schedule.ts'
import { hashToken, newToken } from '#server/core/auth/session.ts'
import { workOn } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { notFound } from '#server/core/runtime/failure.ts'
import { todayIn } from '#server/core/runtime/today.ts'
import { calendarText } from './calendar.rules.ts'
import { getPlacingProgram, listDaysOffBetween } from './placement.queries.ts'
import { listOwnShifts } from './planning.queries.ts'

/** How far back and ahead a calendar program sees. */
const feedDays = { back: 60, ahead: 400 }

export const ownScheduleRoutes = [
  handle(contract.getOwnSchedule, async ({ db, query, user }) => ({
    // A student always belongs to a program.
    Shifts: await listOwnShifts(db, user.ProgramId!, user.Id, query.FromDate, query.ThroughDate),
    DaysOff: await listDaysOffBetween(db, user.ProgramId!, query.FromDate, query.ThroughDate),
    MaySwap: (await getPlacingProgram(db, user.ProgramId!)).Options.SwapApproval !== 'off',
  })),

  handle(contract.createCalendarFeed, async ({ db, user, services }) => {
    const token = newToken()
    const token_hash = hashToken(token)
    await db
      .insertInto('calendar_feed')
      // A student always belongs to a program.
      .values({ program_id: user.ProgramId!, account_id: user.Id, token_hash })
      .onConflict((kept) =>
        kept
          .columns(['program_id', 'account_id'])
          .doUpdateSet({ token_hash, created_at: sql<string>`now()` }),
      )
      .execute()
    return { Address: `${services.publicUrl()}${services.config.appRoot}/new/api/calendar/${token}.ics` }
  }),

  handle(contract.getCalendar, async ({ db, params }) => {
    const token = params.file.replace(/\.ics$/, '')
    const { rows } = await sql<{ program_id: number; account_id: number }>`
      select program_id, account_id from find_calendar_feed(${hashToken(token)})`.execute(db)
    const feed = rows[0]
    if (!feed) throw notFound('This calendar')
    await workOn(db, [feed.program_id])
    const today = todayIn('UTC')
    const shifts = await listOwnShifts(
      db,
      feed.program_id,
      feed.account_id,
      addDays(today, -feedDays.back),
      addDays(today, feedDays.ahead),
    )
    return {
      name: 'schedule.ics',
      type: 'text/calendar; charset=utf-8',
      chunks: calendarText(shifts, new Date()),
    }
  }),
]
