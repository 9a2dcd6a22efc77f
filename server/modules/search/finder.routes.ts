import { may } from '#contract/core/permissions.ts'
import * as contract from '#contract/search/finder.ts'
import { handle } from '#server/core/http/handle.ts'
import { findPeople } from '../people/people.queries.ts'
import { findSites } from '../sites/sites.queries.ts'

export const finderRoutes = [
  handle(contract.find, async ({ db, user, session, query }) => {
    const { programId } = session
    if (programId === null) return { People: [], Sites: [] }
    const most = contract.maxFinds
    return {
      People: may(user, 'people.read') ? await findPeople(db, programId, user, query.search, most) : [],
      Sites: may(user, 'sites.read') ? await findSites(db, programId, user, query.search, most) : [],
    }
  }),
]
