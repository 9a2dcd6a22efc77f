import * as contract from '#contract/programs.ts'
import { handle } from '#server/core/handle.ts'
import { listColleges, listPrograms } from './programs.queries.ts'

export const programRoutes = [
  handle(contract.listColleges, ({ db, user, query }) => listColleges(db, user, query.search)),
  handle(contract.listProgramsOfCollege, ({ db, user, params }) => listPrograms(db, user, params.collegeId)),
  handle(contract.listPrograms, ({ db, user }) => listPrograms(db, user)),
]
