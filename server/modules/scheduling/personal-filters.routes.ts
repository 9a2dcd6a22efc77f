import { peopleFailures } from '#contract/people/failures.ts'
import { schedulingFailures } from '#contract/scheduling/failures.ts'
import * as contract from '#contract/scheduling/personal-filters.ts'
import { siteFailures } from '#contract/sites/failures.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail, refuseMissing } from '#server/core/runtime/failure.ts'
import { savePersonalFilter } from './personal-filters.commands.ts'
import { findChosen, readPersonalFilterSettings, readPersonalFilters } from './personal-filters.queries.ts'

export const personalFilterRoutes = [
  handle(contract.getPersonalFilterSettings, ({ db, user }) => readPersonalFilterSettings(db, user.Id)),

  handle(contract.savePersonalFilterSettings, async ({ db, body, user, session }) => {
    if (session.programId === null) throw fail(schedulingFailures.no_program)
    const studentIds = [...new Set(body.StudentIds ?? [])]
    const siteIds = [...new Set(body.SiteIds ?? [])]
    const shiftIds = [...new Set(body.SiteShiftIds ?? [])]
    const there = await findChosen(db, session.programId, { studentIds, siteIds, shiftIds })
    refuseMissing(peopleFailures.no_students, studentIds, there.students)
    refuseMissing(siteFailures.no_sites, siteIds, there.sites)
    refuseMissing(schedulingFailures.no_shifts, shiftIds, there.shifts)
    await savePersonalFilter(db, user.Id, body)
    return readPersonalFilterSettings(db, user.Id)
  }),

  handle(contract.getPersonalFilters, async ({ db, user, session }) =>
    session.programId === null
      ? { Students: [], Sites: [], SiteShifts: [] }
      : readPersonalFilters(db, user.Id, session.programId),
  ),
]
