import { z } from 'zod'
import { Latitude, Line, Longitude, RequiredLine, Text, Written } from '#contract/core/fields.ts'
import {
  addressFields,
  areaField,
  type Importable,
  placeFields,
  text,
  websiteField,
  whole,
} from '#contract/core/import-fields.ts'
import { detailOf, inputOf, type PlainField } from '#contract/core/plain-fields.ts'
import { isTimeZone, stripMarkup } from './sites-rules.ts'

const [address, city, state, zip, phone] = addressFields
const inSite = { section: 'site' } as const
const inAddress = { section: 'address' } as const

/** The fields of a site that are kept as they are written, besides those of the specification. */
export const plainSiteFields = [
  {
    ...text('Type', 'Type', 100, ['General hospital', 'Outpatient center'], 'SITE TYPE', 'CATEGORY'),
    ...inSite,
    width: 18,
  },
  { ...address, ...inAddress, isWide: true, width: 30 },
  { ...city, ...inAddress, width: 18 },
  { ...state, ...inAddress, width: 8 },
  { ...zip, ...inAddress, width: 10 },
  { ...phone, ...inAddress, input: 'tel', width: 16 },
  { ...text('County', 'County', 100, ['Bristol', 'Bristol']), ...inAddress, width: 16 },
  { ...websiteField, ...inAddress, input: 'url', width: 30 },
  { ...whole('Beds', 'Beds', 100_000, ['412', ''], 'BED COUNT'), ...inSite },
  {
    ...whole('Capacity', 'Capacity', 100_000, ['12', '6'], 'PLACES', 'SLOTS'),
    ...inSite,
    hint: 'most {students} per day, over all shifts',
  },
] as const satisfies readonly PlainField[]

/** The fields of a site as they are read, besides those of the specification. */
export const siteDetailFields = {
  IsActive: z.boolean(),
  AreaName: z.string().nullable(),
  ...detailOf(plainSiteFields),
  Notes: z.string(),
}

/** The fields of a site as they are written; what is left out stays as it is. */
export const siteInputFields = {
  /** Names lose their markup and must not be empty after it. */
  Name: Written('name', RequiredLine(255).transform(stripMarkup).pipe(z.string().min(1, 'is required'))),
  ContractName: Line(255).optional(),
  Code: Line(20).optional(),
  ...inputOf(plainSiteFields),
  Latitude: Latitude.nullish(),
  Longitude: Longitude.nullish(),
  Precision: z.number().int().min(10, 'must be at least 10 m').max(100_000).optional(),
  TimeZone: z
    .union([z.literal(''), Line(64).pipe(z.string().refine(isTimeZone, 'is not a known time zone'))])
    .optional(),
  AllowOvernight: z.boolean().optional(),
  AllowMulticlock: z.boolean().optional(),
  RejectInaccuratePins: z.boolean().optional(),
  RejectAccuracy: z.number().int().min(1, 'must be at least 1 m').max(100_000).optional(),
  Lab: z.boolean().optional(),
  ForbidCsLogclockEditing: z.boolean().optional(),
  Reminders: z.boolean().optional(),
  ExternalLocationId: Line(100).nullish(),
  Notes: Text(10_000).optional(),
  IsActive: z.boolean().optional(),
}

export const siteImport = {
  key: 'sites',
  tellsChanges: true,
  name: '{sites}',
  about: 'Rows with a known External ID update that {site}; others are added. Empty cells change nothing.',
  may: 'sites.write',
  seen: { name: '{sites}', page: '/admin/sites' },
  fields: [
    {
      name: 'Name',
      label: 'Name',
      sample: ['Southcoast Hospital', 'Highland Medical Center'],
      value: 'name',
      writing: 'name',
      max: 255,
      isRequired: true,
      aliases: ['SITE', 'SITE NAME', 'HOSPITAL', 'FACILITY', 'FACILITY NAME'],
    },
    text(
      'ExternalLocationId',
      'External ID',
      100,
      ['SITE-101', 'SITE-102'],
      'ID',
      'EXTERNAL ID',
      'LOCATION ID',
      'SITE ID',
    ),
    text('Code', 'Code', 20, ['SHN', 'HLM'], 'SITE CODE', 'ABBREVIATION'),
    text(
      'ContractName',
      'Contract name',
      255,
      ['Southcoast Health Inc.', 'Highland Medical Center LLC'],
      'LEGAL NAME',
      'CONTRACT',
    ),
    areaField,
    ...plainSiteFields,
    ...placeFields,
    {
      name: 'Precision',
      label: 'Geofence radius',
      note: 'Meters around the site in which a clock-in counts as there; 10 or more.',
      sample: ['150', '150'],
      value: 'whole',
      min: 10,
      max: 100_000,
      aliases: ['RADIUS', 'GEOFENCE'],
    },
    {
      name: 'TimeZone',
      label: 'Time zone',
      sample: ['America/New_York', 'America/New_York'],
      value: 'zone',
      max: 100,
      aliases: ['TZ'],
    },
    {
      name: 'Status',
      label: 'Status',
      sample: ['Open', 'Open'],
      value: 'choice',
      max: 100,
      aliases: ['ACTIVE', 'IS ACTIVE'],
    },
    {
      ...text('Notes', 'Notes', 10_000, ['Park in garage B', ''], 'NOTE', 'COMMENT', 'COMMENTS', 'REMARKS'),
      hasLines: true,
    },
  ],
} as const satisfies Importable
