import * as contract from '#contract/scheduling/personal-filters.ts'
import { handle } from '#server/core/http/handle.ts'
import { conflict, refuseMissing } from '#server/core/runtime/failure.ts'
import { savePersonalFilter } from './personal-filters.commands.ts'
import { findChosen, readPersonalFilterSettings, readPersonalFilters } from './personal-filters.queries.ts'

export const personalFilterRoutes = [
  handle(contract.getPersonalFilterSettings, ({ db, user }) => readPersonalFilterSettings(db, user.Id)),

  handle(contract.savePersonalFilterSettings, async ({ db, body, user, session }) => {
    if (session.programId === null)
      throw conflict('no_program', 'Select a college and program first; nothing was changed.')
    const studentIds = [...new Set(body.StudentIds ?? [])]
    const siteIds = [...new Set(body.SiteIds ?? [])]
    const shiftIds = [...new Set(body.SiteShiftIds ?? [])]
    const there = await findChosen(db, session.programId, { studentIds, siteIds, shiftIds })
    refuseMissing('students', studentIds, there.students)
    refuseMissing('sites', siteIds, there.sites)
    refuseMissing('shifts', shiftIds, there.shifts)
    await savePersonalFilter(db, user.Id, body)
    return readPersonalFilterSettings(db, user.Id)
  }),

  handle(contract.getPersonalFilters, async ({ db, user, session }) =>
    session.programId === null
      ? { Students: [], Sites: [], SiteShifts: [] }
      : readPersonalFilters(db, user.Id, session.programId),
  ),
]
