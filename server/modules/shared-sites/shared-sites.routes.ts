import { randomInt } from 'node:crypto'
import { daysBetween } from '#contract/core/calendar.ts'
import { sharedSiteFailures } from '#contract/shared-sites/failures.ts'
import { shownPlaces } from '#contract/shared-sites/shared-places.ts'
import * as contract from '#contract/shared-sites/shared-sites.ts'
import { siteFailures } from '#contract/sites/failures.ts'
import { hashToken } from '#server/core/auth/session.ts'
import { type Db, workOn } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { quarterHour, throttle } from '#server/core/http/throttle.ts'
import { notifyCoordinators } from '#server/core/mail/notices.ts'
import { fail } from '#server/core/runtime/failure.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { findProgramContext } from '../programs/context.queries.ts'
import { findSite } from '../scheduling/site-shifts.queries.ts'
import { findOffer, listOthers, listShared } from './shared-sites.across.ts'
import { join, keepCode, leave, listDays, shareSiteOf } from './shared-sites.queries.ts'

/** Letters and figures that nobody takes for another when a code is read out. */
const letters = 'ABCDEFGHJKMNPQRSTVWXYZ23456789'

/** 'KM7Q-2XHT-9RPD-W4CV', of 78 random bits. */
const newCode = (): string =>
  Array.from({ length: 4 }, () =>
    Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join(''),
  ).join('-')

const hashOf = (code: string): Buffer => hashToken(code.replace(/[\s-]/g, '').toUpperCase())

const getShared = async (db: Db, programId: number, id: number): Promise<contract.SharedSite> => {
  const shared = (await listShared(db, programId)).find((each) => each.Id === id)
  if (!shared) throw fail(sharedSiteFailures.no_shared_site)
  return shared
}

const getSite = async (db: Db, programId: number, siteId: number) => {
  const site = await findSite(db, programId, siteId)
  if (!site) throw fail(siteFailures.no_chosen_site)
  return site
}

const refuseShared = async (db: Db, programId: number, siteId: number): Promise<void> => {
  const shared = (await listShared(db, programId)).find((each) => each.SiteId === siteId)
  if (shared) throw fail(sharedSiteFailures.shared_already, { Site: shared.Site }, 'SiteId')
}

/** Two programs that share the same site at once: the index lets one of them in. */
const isTwice = (error: unknown): boolean => {
  const { code, constraint } = error as { code?: string; constraint?: string }
  return code === '23505' && (constraint ?? '').startsWith('shared_site_program')
}

const giveCode = async (db: Db, sharedSiteId: number): Promise<string> => {
  const code = newCode()
  if (!(await keepCode(db, sharedSiteId, hashOf(code)))) throw fail(sharedSiteFailures.no_shared_site)
  return code
}

/** What a code offers. Told alike whether it is unknown, used or over, and tried only so often. */
const getOffer = async (db: Db, services: Services, programId: number, code: string) => {
  await throttle(services.pool, [{ key: `shared-code:${programId}`, max: 30, windowSeconds: quarterHour }])
  const offer = await findOffer(db, hashOf(code))
  if (!offer) throw fail(sharedSiteFailures.code_over)
  return offer
}

/** Tells the coordinators of the other programs, each within its own program. */
const tellOthers = async (
  db: Db,
  programId: number,
  others: readonly number[],
  text: string,
): Promise<void> => {
  for (const other of others) {
    await workOn(db, [other])
    await notifyCoordinators(db, other, { kind: 'shared_site', text, link: '/new/admin/shared-sites' })
  }
  await workOn(db, [programId])
}

const nameOf = async (db: Db, programId: number): Promise<string> =>
  (await findProgramContext(db, programId))?.Name ?? ''

export const sharedSiteRoutes = [
  handle(contract.listSharedSites, ({ db, params: { programId } }) => listShared(db, programId)),

  handle(contract.listSharedDays, async ({ db, params: { programId, sharedSiteId }, query }) => {
    const { SiteId } = await getShared(db, programId, sharedSiteId)
    const days = daysBetween(query.FromDate, query.ThroughDate)
    if (days < 0 || days >= contract.mostSharedDays)
      throw fail(sharedSiteFailures.too_many_days, { Most: contract.mostSharedDays }, 'ThroughDate')
    return (await listDays(db, programId, SiteId, query)).map(({ date, capacity, free, own }) => {
      const { From, Through } = shownPlaces(capacity, own, free)
      return { Date: date, Own: own, LeftFrom: From, LeftThrough: Through }
    })
  }),

  handle(contract.shareSite, async ({ db, params: { programId }, body, audit }) => {
    const site = await getSite(db, programId, body.SiteId)
    await refuseShared(db, programId, site.id)
    const Id = await shareSiteOf(db, { siteId: site.id, name: site.name, capacity: body.Capacity }).catch(
      (error: unknown) => {
        if (isTwice(error)) throw fail(sharedSiteFailures.shared, { Name: site.name }, 'SiteId')
        throw error
      },
    )
    audit.detail = { Id, Site: site.name, Capacity: body.Capacity }
    return { Id, Code: await giveCode(db, Id) }
  }),

  handle(contract.addSharedCode, async ({ db, params: { programId, sharedSiteId }, audit }) => {
    const { Site } = await getShared(db, programId, sharedSiteId)
    audit.detail = { Id: sharedSiteId, Site }
    return { Code: await giveCode(db, sharedSiteId) }
  }),

  handle(contract.readSharedOffer, async ({ db, services, params: { programId }, body }) => {
    const offer = await getOffer(db, services, programId, body.Code)
    return { Site: offer.site, Capacity: offer.capacity, Program: offer.program, College: offer.college }
  }),

  handle(contract.joinSharedSite, async ({ db, services, params: { programId }, body, audit }) => {
    const offer = await getOffer(db, services, programId, body.Code)
    const site = await getSite(db, programId, body.SiteId)
    await refuseShared(db, programId, site.id)
    const own = await listShared(db, programId)
    if (own.some(({ Id }) => Id === offer.sharedSiteId))
      throw fail(sharedSiteFailures.joined_already, { Site: offer.site })
    const id = await join(db, hashOf(body.Code), site.id).catch((error: unknown) => {
      if (isTwice(error)) throw fail(sharedSiteFailures.shared, { Name: site.name }, 'SiteId')
      throw error
    })
    if (id === undefined) throw fail(sharedSiteFailures.code_used)
    const joined = await getShared(db, programId, id)
    audit.detail = {
      Id: id,
      Site: site.name,
      Capacity: offer.capacity,
      OfferedBy: `${offer.program}, ${offer.college}`,
    }
    const name = await nameOf(db, programId)
    await tellOthers(
      db,
      programId,
      await listOthers(db, programId, id),
      `${name} shares ${offer.site} with you from now on`,
    )
    return joined
  }),

  handle(contract.leaveSharedSite, async ({ db, params: { programId, sharedSiteId }, audit }) => {
    const shared = await getShared(db, programId, sharedSiteId)
    const others = await listOthers(db, programId, sharedSiteId)
    if ((await leave(db, sharedSiteId)) === undefined) throw fail(sharedSiteFailures.no_shared_site)
    audit.detail = { Id: sharedSiteId, Site: shared.Site, Programs: shared.Programs }
    const name = await nameOf(db, programId)
    await tellOthers(db, programId, others, `${name} no longer shares ${shared.Site} with you`)
  }),
]
