import { sql } from 'kysely'
import { daysBetween } from '#contract/calendar.ts'
import * as contract from '#contract/reports.ts'
import { workOn } from '#server/core/database/pool.ts'
import { notFound } from '#server/core/failure.ts'
import { handle } from '#server/core/handle.ts'
import { todayIn } from '#server/core/today.ts'
import { shownAnnouncements } from '../communication/announcements.queries.ts'
import { newsOfInstallation, newsOfProgram } from '../communication/news.queries.ts'
import { findProgramContext } from '../session/state.queries.ts'
import { countStanding } from '../sites/agreements.queries.ts'
import { currentRotation, readHours } from '../time/hours.queries.ts'
import { countRecords } from '../time/records.queries.ts'
import { atSitesNow, capacityToday, countWaiting, endingAgreements, hoursByWeek } from './home.queries.ts'

const weeksBetween = (from: string, through: string): number =>
  Math.max(1, Math.round(daysBetween(from, through) / 7))

export const homeRoutes = [
  handle(contract.getHome, async ({ db, params: { programId }, user }) => {
    const program = await findProgramContext(db, programId)
    if (!program) throw notFound('This program')
    const today = todayIn(program.TimeZone)
    const rotation = await currentRotation(db, programId, today)
    const hours = rotation
      ? await readHours(
          db,
          programId,
          user.Id,
          { RotationId: rotation.id },
          program.Options.AbsencesAreMadeUp,
        )
      : []
    // The same counts as the list that each of them leads to.
    const records = await countRecords(
      db,
      { programId, scope: { supervisorId: null }, accountId: user.Id },
      {},
    )
    const { Unmatched, ...waiting } = await countWaiting(db, programId, today)
    const ending = await countStanding(db, programId, 'urgent')
    const target = hours.reduce((sum, row) => sum + row.Target, 0)
    return {
      Today: today,
      ...waiting,
      EndingAgreements: { Count: ending.Count, Detail: ending.FirstEnd ?? '' },
      Careful: { Count: records.CarefulReview, Detail: '' },
      Unmatched: { Count: records.Unmatched, Detail: Unmatched },
      Clean: { Count: records.Ready.Clean, Minutes: records.Ready.CleanMinutes },
      AtSitesNow: await atSitesNow(db, programId, today),
      CapacityToday: await capacityToday(db, programId, today),
      Agreements: await endingAgreements(db, programId, today),
      Weeks: await hoursByWeek(db, programId, today),
      Rotation: rotation
        ? {
            Id: rotation.id,
            Name: rotation.name,
            EndDate: rotation.end_date,
            ApprovedMinutes: hours.reduce((sum, row) => sum + row.Approved, 0),
            TargetMinutes: target,
            WeeklyTargetMinutes: Math.round(target / weeksBetween(rotation.start_date, rotation.end_date)),
            Students: hours.length,
            OnTime: hours.filter((row) => row.Projection >= row.Target).length,
          }
        : null,
      Announcements: await shownAnnouncements(db, programId, user),
      News: await newsOfProgram(db, programId, today),
    }
  }),

  handle(contract.getOverview, async ({ db, user }) => {
    const { rows: programs } = await sql<{
      id: number
    }>`select id from program where deleted_at is null`.execute(db)
    await workOn(
      db,
      programs.map(({ id }) => id),
    )
    const { rows } = await sql<Record<string, number>>`
      select (select count(*) from college where deleted_at is null) as colleges, c.daily_users, c.total_students,
        (select count(*) from mail where status in (1, 2)) as waiting,
        (select count(*) from mail where status = 4 and blocked_at is null and cancelled_at is null and created_at > now() - interval '7 days') as failed
      from installation_counts(date_trunc('day', now(), ${user.TimeZone})) c`.execute(db)
    const recent = await db
      .selectFrom('program as p')
      .innerJoin('college as c', 'c.id', 'p.college_id')
      .select(['p.id as Id', 'p.name as Name', 'c.name as CollegeName'])
      .select(
        sql<number>`(select count(*) from account a where a.program_id = p.id and a.access_level = 39 and a.deleted_at is null)`.as(
          'Students',
        ),
      )
      .where('p.deleted_at', 'is', null)
      .orderBy('p.id', 'desc')
      .limit(8)
      .execute()
    const row = rows[0]!
    return {
      Colleges: row.colleges!,
      Programs: programs.length,
      Students: row.total_students!,
      DailyUsers: row.daily_users!,
      MailWaiting: row.waiting!,
      MailFailed: row.failed!,
      News: await newsOfInstallation(db, todayIn(user.TimeZone)),
      RecentPrograms: recent,
    }
  }),
]
