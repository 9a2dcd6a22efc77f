import { daysBetween } from '#contract/core/calendar.ts'
import * as contract from '#contract/reports/reports.ts'
import { handle } from '#server/core/http/handle.ts'
import { todayIn } from '#server/core/runtime/today.ts'
import { shownAnnouncements } from '../news/announcements.queries.ts'
import { newsOfProgram } from '../news/news.queries.ts'
import { getProgramContext } from '../programs/context.queries.ts'
import { countAtRisk } from '../progress/progress.queries.ts'
import { countNotSetUp } from '../progress/set-up.queries.ts'
import { countWaiting } from '../requirements/proof-review.queries.ts'
import { countToRenew } from '../sites/agreements.queries.ts'
import { currentRotation, todayExpression } from '../time/hours.queries.ts'
import { readHome } from './home.queries.ts'

const weeksBetween = (from: string, through: string): number =>
  Math.max(1, Math.round(daysBetween(from, through) / 7))

export const homeRoutes = [
  handle(contract.getHome, async ({ db, params: { programId }, user }) => {
    // What depends on nothing but the program goes to the database together.
    const [program, rotation] = await Promise.all([
      getProgramContext(db, programId),
      currentRotation(db, programId, todayExpression(programId)),
    ])
    const today = todayIn(program.TimeZone)
    const [
      { Unmatched, Records: records, Hours: hours, ...parts },
      atRisk,
      NotSetUp,
      WaitingProofs,
      ToRenew,
      Announcements,
      News,
    ] = await Promise.all([
      readHome(db, programId, { today, rotationId: rotation?.id }),
      countAtRisk(db, { programId, today }),
      countNotSetUp(db, programId),
      countWaiting(db, programId, today),
      countToRenew(db, programId),
      shownAnnouncements(db, programId, user),
      newsOfProgram(db, programId, today),
    ])
    return {
      Today: today,
      ...parts,
      AtRisk: { Count: atRisk, Detail: '' },
      NotSetUp,
      WaitingProofs,
      EndingAgreements: {
        Count: ToRenew.Count,
        Detail: ToRenew.FirstEnd ?? '',
        Ended: ToRenew.Ended,
        ShiftsAhead: ToRenew.ShiftsAhead,
      },
      Careful: { Count: records.CarefulReview, Detail: '' },
      Unmatched: { Count: records.Unmatched, Detail: Unmatched.Names },
      Clean: {
        Count: records.ReadyClean,
        Minutes: records.CleanMinutes,
        Running: records.Clean - records.ReadyClean,
        ToleranceMinutes: program.Options.PunchToleranceMinutes,
      },
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
      Announcements,
      News,
    }
  }),
]
