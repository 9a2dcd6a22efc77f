import type { Updateable } from 'kysely'
import type { SiteDetail, SiteInput, SiteListItem } from '#contract/sites/sites.ts'
import { plainSiteFields } from '#contract/sites/sites-fields.ts'
import type { DB } from '#server/core/database/types.ts'
import type { ExportColumn } from '#server/core/files/table.ts'
import { columnTypes, type ImportColumn, plainColumnsOf } from '#server/core/imports/table-store.ts'

const { text, optionalText, id, coordinate } = columnTypes
const flag = { type: 'boolean', empty: true } as const

interface SiteField extends ImportColumn {
  column: keyof DB['site']
}

/** Those that are kept as they are written. */
const plain = plainColumnsOf(plainSiteFields)

/** The fields of a site by their names in calls: their columns, and the fields of an import they take. */
const imported = {
  Name: { column: 'name', field: 'Name', ...text },
  Code: { column: 'code', field: 'Code', ...text },
  ExternalLocationId: { column: 'external_location_id', field: 'ExternalLocationId', ...optionalText },
  ContractName: { column: 'contract_name', field: 'ContractName', ...text },
  AreaId: { column: 'area_id', field: 'Area', ...id },
  ...plain,
  Latitude: { column: 'latitude', field: 'Latitude', ...coordinate },
  Longitude: { column: 'longitude', field: 'Longitude', ...coordinate },
  Precision: { column: 'precision_m', field: 'Precision', type: 'integer', empty: 150 },
  TimeZone: { column: 'time_zone', field: 'TimeZone', ...text },
  IsDST: { column: 'is_dst', ...flag },
  IsActive: { column: 'is_active', field: 'Status', ...flag },
  Notes: { column: 'notes', field: 'Notes', ...text },
} as const satisfies Record<string, SiteField>

/** What an import of sites writes. */
export const importedSiteColumns: Readonly<Record<string, ImportColumn>> = Object.fromEntries(
  Object.values(imported).map(({ column, ...rest }) => [column, rest]),
)

/** The plain fields of a site by their names in calls, with their columns. */
export const siteFields = {
  ...imported,
  AllowOvernight: { column: 'allow_overnight' },
  AllowMulticlock: { column: 'allow_multiclock' },
  RejectInaccuratePins: { column: 'reject_inaccurate_pins' },
  RejectAccuracy: { column: 'reject_accuracy_m' },
  Lab: { column: 'lab' },
  ForbidCsLogclockEditing: { column: 'forbid_cs_logclock_editing' },
  Reminders: { column: 'reminders' },
} as const satisfies Record<string, Pick<SiteField, 'column'>>
type SiteFields = typeof siteFields
type Selection<Name extends keyof SiteFields> = {
  [Each in Name]: `s.${SiteFields[Each]['column']} as ${Each}`
}[Name]

/** Fields as a query selects them; `s` is the site. */
export const selectionOf = <Name extends keyof SiteFields>(names: readonly Name[]): Selection<Name>[] =>
  names.map((name) => `s.${siteFields[name].column} as ${name}` as Selection<Name>)

/** The specification's plain fields; the name is selected without its markup. */
export const specifiedFields = [
  'AreaId',
  'ContractName',
  'Code',
  'ExternalLocationId',
  'Latitude',
  'Longitude',
  'Precision',
  'TimeZone',
  'IsDST',
  'AllowOvernight',
  'AllowMulticlock',
  'RejectInaccuratePins',
  'RejectAccuracy',
  'Lab',
  'ForbidCsLogclockEditing',
  'Reminders',
] as const
type NotSpecified = Exclude<keyof SiteFields, 'Name' | (typeof specifiedFields)[number]>

/** The plain fields that the details of a site have besides those. */
export const detailFields = (Object.keys(siteFields) as (keyof SiteFields)[]).filter(
  (name): name is NotSpecified => name !== 'Name' && !specifiedFields.some((specified) => specified === name),
)

/** The columns of what is saved; what is left out stays as it is. The zone follows from more than the body. */
export const columnsOf = (body: SiteInput & { Name: string }): Updateable<DB['site']> & { name: string } => {
  const given: Record<string, unknown> = {}
  for (const [name, { column }] of Object.entries(siteFields)) {
    const value = body[name as keyof SiteInput]
    if (value !== undefined && name !== 'TimeZone') given[column] = value
  }
  if (body.ExternalLocationId === '') given.external_location_id = null
  return { ...given, name: body.Name }
}

type Exported = Exclude<keyof typeof imported, 'Name' | 'AreaId' | 'IsDST' | 'IsActive' | 'Notes'>

/** A site in an export. */
export type ExportedSite = Omit<SiteListItem, 'Tag'> & Pick<SiteDetail, Exported>

const own = <Name extends Exported>(field: Name, look: Partial<ExportColumn<ExportedSite>> = {}) => ({
  field,
  title: field,
  value: (site: ExportedSite) => site[field],
  ...look,
})
const number = { kind: 'number' } as const

/** The columns of an export, which an import reads again. */
export const exportColumns: readonly (ExportColumn<ExportedSite> & { field?: Exported })[] = [
  { title: 'Name', width: 40, value: ({ Name }) => Name },
  own('Code', { width: 10 }),
  own('ExternalLocationId', { width: 18 }),
  own('ContractName', { width: 30 }),
  { title: 'Area', width: 18, value: ({ AreaName }) => AreaName },
  ...plainSiteFields.map((field) =>
    own(field.name, field.value === 'whole' ? number : { width: field.width }),
  ),
  own('Latitude', number),
  own('Longitude', number),
  own('Precision', number),
  own('TimeZone', { width: 20 }),
  { title: 'Status', width: 10, value: ({ IsActive }) => (IsActive ? 'OPEN' : 'CLOSED') },
  { title: 'Placed today', ...number, value: ({ PlacedToday }) => PlacedToday },
  { title: 'Places today', ...number, value: ({ PlacesToday }) => PlacesToday },
  { title: 'Agreement', width: 12, value: ({ AgreementState }) => AgreementState },
  { title: 'Agreement ends', kind: 'date', value: ({ AgreementEnd }) => AgreementEnd },
]

/** The plain fields that an export shows. */
export const exportedFields = exportColumns.flatMap(({ field }) => field ?? [])
