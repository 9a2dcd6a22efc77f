import { peopleFailures } from '#contract/people/failures.ts'
import { siteFailures } from '#contract/sites/failures.ts'
import * as contract from '#contract/sites/sites.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { siteExists } from './sites.queries.ts'
import { saveAssignedSites } from './supervisors.commands.ts'
import {
  listAssignable,
  listSitesOf,
  listSupervisorsOf,
  listThere,
  pageSupervisors,
} from './supervisors.queries.ts'

const difference = (before: readonly number[], after: readonly number[]) => {
  const old = new Set(before)
  const next = new Set(after)
  return { added: [...next].filter((id) => !old.has(id)), removed: before.filter((id) => !next.has(id)) }
}

export const supervisorRoutes = [
  handle(contract.listSupervisors, async ({ db, params, query }) => ({
    ...(await pageSupervisors(db, params.programId, query)),
    Page: query.page,
    PageSize: query.pageSize,
  })),

  handle(contract.getSupervisorSites, async ({ db, params: { programId, userId } }) => {
    if ((await listAssignable(db, programId, [userId])).length === 0) throw fail(peopleFailures.no_person)
    return { SiteIds: await listSitesOf(db, programId, userId) }
  }),

  handle(contract.saveSupervisorSites, async ({ db, params: { programId, userId }, body, audit }) => {
    if ((await listAssignable(db, programId, [userId])).length === 0) throw fail(peopleFailures.no_person)
    const { added, removed } = difference(await listSitesOf(db, programId, userId), body.SiteIds)
    const there = await listThere(db, programId, added)
    if (there.length < added.length) throw fail(siteFailures.chosen_site_gone, 'SiteIds')
    await saveAssignedSites(db, programId, {
      add: added.map((siteId) => ({ accountId: userId, siteId })),
      remove: removed.map((siteId) => ({ accountId: userId, siteId })),
    })
    audit.subjectId = userId
    audit.detail = { AddedSites: added.slice(0, 200), RemovedSites: removed.slice(0, 200) }
    return { Added: added.length, Removed: removed.length }
  }),

  handle(contract.getSiteSupervisors, async ({ db, params: { programId, siteId }, user }) => {
    if (!(await siteExists(db, programId, siteId, user))) throw fail(siteFailures.no_site)
    return { UserIds: await listSupervisorsOf(db, programId, siteId) }
  }),

  handle(contract.saveSiteSupervisors, async ({ db, params: { programId, siteId }, body, user, audit }) => {
    if (!(await siteExists(db, programId, siteId, user))) throw fail(siteFailures.no_site)
    const { added, removed } = difference(await listSupervisorsOf(db, programId, siteId), body.UserIds)
    const there = await listAssignable(db, programId, added)
    if (there.length < added.length) throw fail(siteFailures.chosen_person_gone, 'UserIds')
    await saveAssignedSites(db, programId, {
      add: added.map((accountId) => ({ accountId, siteId })),
      remove: removed.map((accountId) => ({ accountId, siteId })),
    })
    audit.detail = { AddedPeople: added.slice(0, 200), RemovedPeople: removed.slice(0, 200) }
    return { Added: added.length, Removed: removed.length }
  }),
]
