import { areaFailures } from '#contract/areas/failures.ts'
import { formatDate } from '#contract/core/calendar.ts'
import { siteFailures } from '#contract/sites/failures.ts'
import * as contract from '#contract/sites/sites.ts'
import { agreementState, observesDaylightSaving, siteTag } from '#contract/sites/sites-rules.ts'
import type { User } from '#server/core/auth/session.ts'
import type { Db } from '#server/core/database/pool.ts'
import { tableFile } from '#server/core/files/table.ts'
import { handle } from '#server/core/http/handle.ts'
import { refuseDeletedParent } from '#server/core/runtime/deleted-parent.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { findPlaces } from './places.queries.ts'
import { exportColumns } from './site-fields.rules.ts'
import { restorePart, saveParts } from './site-parts.commands.ts'
import { addSite, changeSite, setSiteDeleted } from './sites.commands.ts'
import {
  areaExists,
  findFuturePlacements,
  findSite,
  findSiteByExternalId,
  getListContext,
  listPlaces,
  listSiteChoices,
  listSiteNames,
  listSites,
  pageSites,
  type SiteFilter,
  streamSites,
} from './sites.queries.ts'
import { zoneAt } from './time-zones.queries.ts'

const getSite = async (
  db: Db,
  programId: number,
  siteId: number,
  user: User,
): Promise<contract.SiteDetail> => {
  const { Today } = await getListContext(db, programId)
  const site = await findSite(db, programId, siteId, user, Today)
  if (!site) throw fail(siteFailures.no_site)
  const inForce = site.Agreements.filter(({ IsActive }) => IsActive)
  const ends = inForce.map(({ TerminationDate }) => TerminationDate)
  const AgreementEnd = ends.includes(null) ? null : (ends.toSorted().at(-1) ?? null)
  return { ...site, AgreementEnd, AgreementState: agreementState(inForce.length > 0, AgreementEnd, Today) }
}

type Body = ReturnType<typeof contract.SiteInput.parse>

/** The place of a site after a save: a coordinate that is left out stays as it is. */
const placeOf = ({ Latitude, Longitude }: Body, before: contract.SiteDetail | undefined) => ({
  latitude: Latitude === undefined ? (before?.Latitude ?? null) : Latitude,
  longitude: Longitude === undefined ? (before?.Longitude ?? null) : Longitude,
})

/** A zone that is given counts; an empty one is derived from the place, or is the program's where there is no place. */
const zoneOf = async (
  db: Db,
  programId: number,
  body: Body,
  before: contract.SiteDetail | undefined,
): Promise<{ time_zone: string; is_dst: boolean } | undefined> => {
  const { TimeZone, Latitude, Longitude } = body
  if (before && TimeZone === undefined) {
    const isMoved = Latitude !== undefined && (Latitude !== before.Latitude || Longitude !== before.Longitude)
    const wasDerived =
      // A site has both coordinates or neither.
      before.Latitude === null || before.TimeZone === zoneAt(before.Latitude, before.Longitude!)
    if (!isMoved || !wasDerived) return undefined
  }
  const { latitude, longitude } = placeOf(body, before)
  const time_zone =
    TimeZone ||
    (latitude !== null && longitude !== null
      ? zoneAt(latitude, longitude)
      : (await getListContext(db, programId)).TimeZone)
  return { time_zone, is_dst: observesDaylightSaving(time_zone, new Date().getUTCFullYear()) }
}

const refuseWrongTies = async (db: Db, programId: number, siteId: number, body: Body): Promise<void> => {
  if (body.AreaId && !(await areaExists(db, programId, body.AreaId)))
    throw fail(siteFailures.area_gone, 'AreaId')
  if (body.ExternalLocationId) {
    const other = await findSiteByExternalId(db, programId, body.ExternalLocationId, siteId)
    if (other)
      throw fail(
        siteFailures.external_id_taken,
        { Name: other.name, Id: body.ExternalLocationId },
        'ExternalLocationId',
      )
  }
}

/** A coordinate that is cleared while the other one is left out. */
const refuseHalfPlace = (before: contract.SiteDetail, body: Body): void => {
  const { latitude, longitude } = placeOf(body, before)
  if ((latitude === null) !== (longitude === null))
    throw fail(siteFailures.half_place, latitude === null ? 'Longitude' : 'Latitude')
}

const filterOf = ({
  search,
  AreaIds,
  Status,
  Agreement,
  Places,
  IdleFrom,
  IdleThrough,
}: SiteFilter): SiteFilter => ({
  search,
  AreaIds,
  Status,
  Agreement,
  Places,
  IdleFrom,
  IdleThrough,
})

export const siteRoutes = [
  handle(contract.listSites, ({ db, params, user }) => listSites(db, params.programId, user)),

  handle(contract.listSitesOfArea, async ({ db, params, user }) => {
    if (!(await areaExists(db, params.programId, params.areaId))) throw fail(areaFailures.no_area)
    return listSites(db, params.programId, user, params.areaId)
  }),

  handle(contract.listSiteNames, ({ db, params, user }) => listSiteNames(db, params.programId, user)),

  handle(contract.listSiteChoices, async ({ db, params, user }) => {
    const sites = await listSiteChoices(db, params.programId, user)
    return {
      Ids: sites.map(({ Id }) => Id),
      Names: sites.map(({ Name }) => Name),
      Codes: sites.map(({ Code }) => Code),
      Places: sites.map(({ Place }) => Place),
    }
  }),

  handle(contract.pageSites, async ({ db, params, query, user }) => {
    const around = await getListContext(db, params.programId)
    const { South, West, North, East, page, pageSize } = query
    const { Items, ...counts } = await pageSites(db, params.programId, user, around, {
      filter: filterOf(query),
      bounds: { South, West, North, East },
      sort: query.sort ?? (around.Latitude === null ? 'Name' : 'Distance'),
      page,
      pageSize,
    })
    return {
      Items: Items.map((item) => ({ ...item, Tag: siteTag(item.Code, item.Name) })),
      ...counts,
      Page: page,
      PageSize: pageSize,
    }
  }),

  handle(contract.findPlaces, async ({ db, query }) => ({ Items: await findPlaces(db, query.search) })),
  handle(contract.mapSites, async ({ db, params, query, user }) => {
    const around = await getListContext(db, params.programId)
    const all = await listPlaces(db, params.programId, user, around, filterOf(query))
    const sites = all.filter(({ Lat }) => Lat !== null)
    return {
      Ids: sites.map(({ Id }) => Id),
      // A site has both coordinates or neither; those without were left out.
      Latitudes: sites.map(({ Lat }) => Lat!),
      Longitudes: sites.map(({ Lng }) => Lng!),
      Tags: sites.map(({ Code, Name }) => siteTag(Code, Name)),
      Names: sites.map(({ Name }) => Name),
      States: sites.map(({ State }) => State),
      Unplaced: all.length - sites.length,
      Home:
        around.Latitude === null || around.Longitude === null
          ? null
          : { Name: around.CollegeName, Latitude: around.Latitude, Longitude: around.Longitude },
    }
  }),

  handle(contract.exportSites, async ({ db, params, query, user }) => {
    const around = await getListContext(db, params.programId)
    const sites = streamSites(db, params.programId, user, around, filterOf(query))
    return tableFile(query.Format, 'Sites', exportColumns, sites)
  }),

  handle(contract.getSite, ({ db, params, user }) => getSite(db, params.programId, params.siteId, user)),

  handle(contract.createSite, async ({ db, params: { programId }, body, user }) => {
    await refuseWrongTies(db, programId, 0, body)
    const id = await addSite(db, programId, user.Id, body, await zoneOf(db, programId, body, undefined))
    await saveParts(db, { programId, siteId: id, accountId: user.Id }, body)
    return getSite(db, programId, id, user)
  }),

  handle(contract.updateSite, async ({ db, params: { programId, siteId }, body, user, audit }) => {
    const before = await getSite(db, programId, siteId, user)
    await refuseWrongTies(db, programId, siteId, body)
    refuseHalfPlace(before, body)
    const zone = await zoneOf(db, programId, body, before)
    await changeSite(db, { programId, id: siteId }, body, zone)
    await saveParts(db, { programId, siteId, accountId: user.Id }, body)
    const after = await getSite(db, programId, siteId, user)
    const names = (Object.keys(after) as (keyof contract.SiteDetail)[]).filter(
      (name) => name !== 'ModDate' && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
    )
    audit.detail = {
      Before: Object.fromEntries(names.map((name) => [name, before[name]])),
      After: Object.fromEntries(names.map((name) => [name, after[name]])),
    }
    return after
  }),

  handle(contract.restoreSitePart, async ({ db, params, user, audit }) => {
    await refuseDeletedParent(db, params.programId, {
      table: 'site_part_removed',
      ids: [params.partId],
      parent: 'site',
      by: 'site_id',
    })
    await getSite(db, params.programId, params.siteId, user)
    audit.detail = { Name: await restorePart(db, params) }
  }),

  handle(contract.deleteSite, async ({ db, params: { programId, siteId }, user, audit }) => {
    const site = await getSite(db, programId, siteId, user)
    const { Today } = await getListContext(db, programId)
    const placed = await findFuturePlacements(db, programId, siteId, Today)
    if (placed) {
      const others = placed.Students > 1 ? ` and ${placed.Students - 1} more` : ''
      throw fail(siteFailures.in_use, {
        Name: site.Name,
        FirstStudent: placed.FirstStudent,
        Others: others,
        Students: placed.Students,
        FirstDate: formatDate(placed.FirstDate),
        Assignments: placed.Assignments,
      })
    }
    audit.detail = { Name: site.Name }
    await setSiteDeleted(db, { programId, id: siteId }, true)
  }),

  handle(contract.restoreSite, async ({ db, params: { programId, siteId }, user, audit }) => {
    const deleted = await db
      .selectFrom('site')
      .select(['name', 'external_location_id'])
      .where('program_id', '=', programId)
      .where('id', '=', siteId)
      .where('deleted_at', 'is not', null)
      .executeTakeFirst()
    if (!deleted) throw fail(siteFailures.no_site)
    if (deleted.external_location_id) {
      const other = await findSiteByExternalId(db, programId, deleted.external_location_id, siteId)
      if (other)
        throw fail(siteFailures.external_id_taken_since, {
          Name: deleted.name,
          Other: other.name,
          Id: deleted.external_location_id,
        })
    }
    audit.detail = { Name: deleted.name }
    await setSiteDeleted(db, { programId, id: siteId }, false)
    return getSite(db, programId, siteId, user)
  }),
]
