import { daysBetween } from '#contract/core/calendar.ts'
import * as contract from '#contract/reports/reports.ts'
import { handle } from '#server/core/http/handle.ts'
import { todayIn } from '#server/core/runtime/today.ts'
import { shownAnnouncements } from '../news/announcements.queries.ts'
import { newsOfProgram } from '../news/news.queries.ts'
import { getProgramContext } from '../programs/context.queries.ts'
import { countStanding } from '../sites/agreements.queries.ts'
import { currentRotation } from '../time/hours.queries.ts'
import { countRecords } from '../time/records.queries.ts'
import { sumRotation } from '../time/rotation-hours.queries.ts'
import { readHome } from './home.queries.ts'

const weeksBetween = (from: string, through: string): number =>
  Math.max(1, Math.round(daysBetween(from, through) / 7))

export const homeRoutes = [
  handle(contract.getHome, async ({ db, params: { programId }, user }) => {
    const program = await getProgramContext(db, programId)
    const today = todayIn(program.TimeZone)
    const rotation = await currentRotation(db, programId, today)
    const hours = rotation && (await sumRotation(db, programId, rotation.id))
    // The same counts as the list that each of them leads to.
    const records = await countRecords(
      db,
      { programId, scope: { supervisorId: null }, accountId: user.Id },
      {},
    )
    const { Unmatched, ...parts } = await readHome(db, programId, today)
    const ending = await countStanding(db, programId, 'urgent')
    return {
      Today: today,
      ...parts,
      EndingAgreements: { Count: ending.Count, Detail: ending.FirstEnd ?? '' },
      Careful: { Count: records.CarefulReview, Detail: '' },
      Unmatched: { Count: records.Unmatched, Detail: Unmatched.Names },
      Clean: { Count: records.Ready.Clean, Minutes: records.Ready.CleanMinutes },
      Rotation:
        rotation && hours
          ? {
              Id: rotation.id,
              Name: rotation.name,
              EndDate: rotation.end_date,
              ApprovedMinutes: hours.Approved,
              TargetMinutes: hours.Target,
              WeeklyTargetMinutes: Math.round(
                hours.Target / weeksBetween(rotation.start_date, rotation.end_date),
              ),
              Students: hours.Students,
              OnTime: hours.Finish,
            }
          : null,
      Announcements: await shownAnnouncements(db, programId, user),
      News: await newsOfProgram(db, programId, today),
    }
  }),
]
