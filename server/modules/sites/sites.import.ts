import { sql } from 'kysely'
import type { ColumnMapping } from '#contract/imports/imports-rules.ts'
import { observesDaylightSaving } from '#contract/sites/sites-rules.ts'
import { type FieldChoices, notAmong } from '#server/core/imports/choices.ts'
import type { ImportDefinition, ProgramScope } from '#server/core/imports/definition.ts'
import { planPlaces } from '#server/core/imports/places.ts'
import type { Entity, Existing, Plan, ReadRow } from '#server/core/imports/plan.ts'
import { tableStore, usedBy } from '#server/core/imports/table-store.ts'
import { listAreaChoices } from '../areas/areas.queries.ts'
import { importedSiteColumns } from './site-fields.rules.ts'
import { zoneAt } from './time-zones.queries.ts'

const uses: readonly [reason: string, from: string][] = [
  ['has shifts', 'site_shift u where u.deleted_at is null and'],
  ['has students placed', 'shift_assignment u where u.removed_at is null and'],
  ['has time records', 'time_record u where u.deleted_at is null and'],
  ['has evaluations', 'evaluation u where u.deleted_at is null and'],
  ['has employees', 'employee u where u.deleted_at is null and'],
  [
    'has supervisors',
    'supervisor_site u join account a on a.program_id = u.program_id and a.id = u.account_id and a.deleted_at is null where',
  ],
  ['has documents', 'site_file u where u.deleted_at is null and'],
  ['has an agreement', 'affiliate_agreement u where u.deleted_at is null and'],
  ['has contacts', 'site_contact u where'],
  ['has networks', 'site_network u where'],
  ['has departments', 'site_department u where'],
]

const store = tableStore({
  table: 'site',
  columns: importedSiteColumns,
  name: sql`t.name`,
  uses: () => usedBy('site_id', uses),
})

const statuses = ['Open', 'Closed']
const openOrClosed: FieldChoices = {
  offered: statuses,
  read: (text) => {
    if (/^(open|active|yes|y|true|1)$/i.test(text)) return { value: true }
    if (/^(closed|inactive|no|n|false|0)$/i.test(text)) return { value: false }
    return notAmong(text, 'a status', statuses)
  },
}

interface Zones {
  /** Looks up the zone of a place. */
  zoneAt: (lat: number, lng: number) => string
  /** For sites without a place. */
  programZone: string
  year: number
}

/** What an import of sites would do. The zone of a site follows its place as long as nobody has set it by hand. */
export const planSites = (
  rows: readonly ReadRow[],
  existing: readonly Existing[],
  mapping: ColumnMapping,
  { zoneAt, programZone, year }: Zones,
): Plan => {
  const daylight = new Map<string, boolean>()
  const isDst = (zone: string): boolean => {
    if (!daylight.has(zone)) daylight.set(zone, observesDaylightSaving(zone, year))
    return daylight.get(zone)!
  }
  const complete = (given: Entity, before: Existing | undefined): Entity => {
    const { latitude, longitude } = given
    const hasPlace = typeof latitude === 'number' && typeof longitude === 'number'
    let zone = given.time_zone as string | undefined
    if (!zone && hasPlace) {
      const isMoved = !before || before.latitude !== latitude || before.longitude !== longitude
      // A zone that somebody set by hand stays; one that came from the old place follows to the new one.
      const isDerived =
        !before ||
        before.latitude === null ||
        before.time_zone === zoneAt(before.latitude as number, before.longitude as number)
      if (isMoved && isDerived) zone = zoneAt(latitude, longitude)
    }
    zone ??= before ? undefined : programZone
    return zone ? { ...given, time_zone: zone, is_dst: isDst(zone) } : given
  }
  return planPlaces(rows, existing, mapping, {
    toEntity: store.toEntity,
    key: { field: 'ExternalLocationId', column: 'external_location_id', label: 'External ID' },
    what: 'site',
    complete,
  })
}

export const siteImport: ImportDefinition = {
  store,

  async listChoices({ db, programId }: ProgramScope) {
    return { Area: await listAreaChoices(db, programId), Status: openOrClosed }
  },

  async plan(scope: ProgramScope, rows, mapping) {
    const { time_zone: programZone } = await scope.db
      .selectFrom('program')
      .select('time_zone')
      .where('id', '=', scope.programId)
      .executeTakeFirstOrThrow()
    const existing = await store.listExisting(scope)
    return planSites(rows, existing, mapping, { zoneAt, programZone, year: new Date().getUTCFullYear() })
  },
}
