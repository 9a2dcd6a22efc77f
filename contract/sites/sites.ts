import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import {
  DateOnly,
  Email,
  Id,
  IdOrNew,
  Ids,
  InProgram,
  Instant,
  Latitude,
  Line,
  Longitude,
  PageOf,
  paging,
  RequiredLine,
  Sort,
  Text,
  Written,
} from '#contract/core/fields.ts'
import { ShiftType } from '#contract/scheduling/site-shifts.ts'
import { siteDetailFields, siteInputFields } from './sites-fields.ts'
import { agreementStates, maxDocumentBytes, readNetwork } from './sites-rules.ts'

const oneSite = z.strictObject({ programId: Id, siteId: Id })

// Reading --------------------------------------------------------------------------------------------------------

/** A site as the specification names its fields. `Precision` and `RejectAccuracy` are meters. */
export const Site = z.object({
  Id,
  AreaId: Id.nullable(),
  /** Without markup. */
  Name: z.string(),
  ContractName: z.string(),
  AllowOvernight: z.boolean(),
  AllowMulticlock: z.boolean(),
  CreateDate: Instant,
  /** User name of whoever changed it last. */
  ModBy: z.string(),
  ModDate: Instant,
  /** IANA name. */
  TimeZone: z.string(),
  IsDST: z.boolean(),
  Reminders: z.boolean(),
  DelFlag: z.boolean(),
  Latitude: Latitude.nullable(),
  Longitude: Longitude.nullable(),
  /** Radius of the geofence. */
  Precision: z.number().int(),
  Lab: z.boolean(),
  Code: z.string(),
  RejectInaccuratePins: z.boolean(),
  RejectAccuracy: z.number().int(),
  ExternalLocationId: z.string().nullable(),
  ForbidCsLogclockEditing: z.boolean(),
})
export type Site = z.infer<typeof Site>

const Contact = z.object({
  Id,
  Name: z.string(),
  Role: z.string(),
  Email: z.string(),
  Phone: z.string(),
})
const Department = z.object({ Id, Name: z.string() })
const SiteNetwork = z.object({ Id, Name: z.string(), Range: z.string() })
const Agreement = z.object({
  Id,
  InitialDate: DateOnly.nullable(),
  LastRenewalDate: DateOnly.nullable(),
  Terms: z.string(),
  IsActive: z.boolean(),
  IsApproved: z.boolean(),
  TerminationDate: DateOnly.nullable(),
  Notes: z.string(),
})

export const SiteDocument = z.object({
  Id,
  Name: z.string(),
  MediaType: z.string(),
  ByteCount: z.number().int(),
  CreateDate: Instant,
  /** User name of whoever added it. */
  CreateBy: z.string(),
})
export type SiteDocument = z.infer<typeof SiteDocument>

/** A site with its contacts, documents and everything else that belongs to it. */
export const SiteDetail = Site.extend({
  ...siteDetailFields,
  Contacts: z.array(Contact),
  Departments: z.array(Department),
  Networks: z.array(SiteNetwork),
  Agreements: z.array(Agreement),
  Documents: z.array(SiteDocument),
  Supervisors: z.array(z.object({ Id, Name: z.string() })),
  Shifts: z.array(
    z.object({
      Id,
      Code: z.string(),
      Name: z.string(),
      Type: ShiftType,
      StartTime: z.string(),
      EndTime: z.string(),
      Capacity: z.number().int(),
    }),
  ),
  /** Students on a shift here today, and today's places. */
  PlacedToday: z.number().int(),
  PlacesToday: z.number().int(),
  /** Students with an assignment here from today on. */
  StudentsPlaced: z.number().int(),
  AgreementState: z.enum(agreementStates),
  AgreementEnd: DateOnly.nullable(),
})
export type SiteDetail = z.infer<typeof SiteDetail>

export const listSites = endpoint({
  method: 'GET',
  path: '/programs/:programId/sites',
  may: 'sites.read',
  summary: "The program's sites by name; a supervisor's own",
  params: InProgram,
  answer: z.array(Site),
})

export const listSitesOfArea = endpoint({
  method: 'GET',
  path: '/programs/:programId/areas/:areaId/sites',
  may: 'sites.read',
  summary: 'The sites of an area by name',
  params: z.strictObject({ programId: Id, areaId: Id }),
  answer: z.array(Site),
})

/** The reduced form of filters and pickers. */
export const listSiteNames = endpoint({
  method: 'GET',
  path: '/programs/:programId/sites/names',
  may: 'sites.read',
  summary: 'Id and name of the sites, for filters and pickers',
  params: InProgram,
  answer: z.array(z.object({ Id, Name: z.string() })),
})

/** For choosing among thousands, packed by column: what tells two of the same name apart is in `Places`. */
export const listSiteChoices = endpoint({
  method: 'GET',
  path: '/programs/:programId/sites/choices',
  may: 'sites.read',
  summary: 'The active sites with code and town, packed by column',
  params: InProgram,
  answer: z.object({
    Ids: z.array(Id),
    Names: z.array(z.string()),
    Codes: z.array(z.string()),
    /** 'Taunton, MA'. */
    Places: z.array(z.string()),
  }),
})

const filters = {
  /** Name, code, city or state. */
  search: Line(100).optional(),
  AreaIds: Ids.optional(),
  Status: z.enum(['active', 'inactive', 'all']).default('active'),
  Agreement: z.enum(agreementStates).optional(),
  /** Today's places: some are free, none is free, or no shift today. */
  Places: z.enum(['free', 'full', 'none']).optional(),
  /** Only sites without an assignment in these days. */
  IdleFrom: DateOnly.optional(),
  IdleThrough: DateOnly.optional(),
}

export const SiteListItem = z.object({
  Id,
  Name: z.string(),
  /** The code, or the name's initials. */
  Tag: z.string(),
  Code: z.string(),
  AreaName: z.string().nullable(),
  City: z.string(),
  State: z.string(),
  IsActive: z.boolean(),
  Latitude: Latitude.nullable(),
  Longitude: Longitude.nullable(),
  /** From the college, where both places are known. */
  DistanceMeters: z.number().int().nullable(),
  PlacedToday: z.number().int(),
  PlacesToday: z.number().int(),
  AgreementState: z.enum(agreementStates),
  AgreementEnd: DateOnly.nullable(),
})
export type SiteListItem = z.infer<typeof SiteListItem>

const bounds = {
  South: Latitude.optional(),
  West: z.number().min(-540).max(540).optional(),
  North: Latitude.optional(),
  East: z.number().min(-540).max(540).optional(),
}

export const pageSites = endpoint({
  method: 'GET',
  path: '/programs/:programId/sites/list',
  may: 'sites.read',
  summary: 'The sites of the list screen: filtered, within the bounds of a map, in pages',
  params: InProgram,
  query: z.strictObject({
    ...filters,
    ...bounds,
    sort: Sort(['Name', 'Distance', 'Today', 'Agreement']).optional(),
    ...paging,
  }),
  answer: PageOf(SiteListItem).extend({
    /** Of the whole program, whatever the filters. */
    ActiveCount: z.number().int(),
    AllCount: z.number().int(),
    /** How many more the filters would show if inactive ones counted. */
    InactiveHidden: z.number().int(),
  }),
})

export const mapSites = endpoint({
  method: 'GET',
  path: '/programs/:programId/sites/map',
  may: 'sites.read',
  summary: 'The places of the sites, packed by column',
  params: InProgram,
  query: z.strictObject(filters),
  answer: z.object({
    Ids: z.array(Id),
    Latitudes: z.array(z.number()),
    Longitudes: z.array(z.number()),
    Tags: z.array(z.string()),
    Names: z.array(z.string()),
    /** 0 in use, 1 its agreement has expired, 2 inactive. */
    States: z.array(z.number().int()),
    /** Sites of the filter without a place on the map. */
    Unplaced: z.number().int(),
    Home: z.object({ Name: z.string(), Latitude, Longitude }).nullable(),
  }),
})

/** A town, or one ZIP code of it; `Zip` is empty for a town with several. Coordinates are of its middle. */
export const Place = z.object({
  Zip: z.string(),
  City: z.string(),
  /** Two letters. */
  State: z.string(),
  County: z.string(),
  Latitude,
  Longitude,
})
export type Place = z.infer<typeof Place>

export const findPlaces = endpoint({
  method: 'GET',
  path: '/places',
  may: 'sites.read',
  summary: 'Look up towns and ZIP codes of the United States, the largest towns first',
  query: z.strictObject({
    /** Begins a ZIP code, or a town, with or without its state: 021, bosto, Boston MA. */
    search: RequiredLine(100),
  }),
  answer: z.object({ Items: z.array(Place) }),
})

export const exportSites = endpoint({
  method: 'GET',
  path: '/programs/:programId/sites/export',
  isHeavy: true,
  mayBePrepared: true,
  mayBeBehind: true,
  may: 'sites.read',
  summary: 'The sites of the filter as a file',
  params: InProgram,
  query: z.strictObject({ ...filters, Format: z.enum(['xlsx', 'csv']).default('xlsx') }),
  answers: 'file',
})

export const getSite = endpoint({
  method: 'GET',
  path: '/programs/:programId/sites/:siteId',
  may: 'sites.read',
  summary: 'A site with everything that belongs to it',
  params: oneSite,
  answer: SiteDetail,
})

// Writing --------------------------------------------------------------------------------------------------------

const Network = z
  .string()
  .max(100)
  .transform((text, context) => {
    const read = readNetwork(text)
    if ('range' in read) return read.range
    context.addIssue({ code: 'custom', message: read.problem })
    return z.NEVER
  })

/** Rows of a part as the caller read them: all of a row, or its id alone. */
const seenRows = <Row extends z.ZodType>(row: Row) => z.array(row).max(1_000).optional()

/**
 * Everything of a site in one call; what is left out stays as it is. An empty time zone is derived from the place. Rows of its parts are
 * changed by their id, in the fields that are given, and added without; a row goes when it is in `Seen` and is not sent.
 */
export const SiteInput = z
  .strictObject({
    Id: IdOrNew.optional(),
    /** As read, by callers without `If-Match`: when another person changed the site meanwhile, nothing is saved. */
    ModDate: Instant.optional(),
    /** The parts as read. Rows that others have added since stay, and of a row only what differs from it is written. */
    Seen: z
      .strictObject({
        Contacts: seenRows(Contact.partial().extend({ Id }).strict()),
        Departments: seenRows(Department.partial().extend({ Id }).strict()),
        Networks: seenRows(SiteNetwork.partial().extend({ Id }).strict()),
        Agreements: seenRows(Agreement.partial().extend({ Id }).strict()),
      })
      .optional(),
    AreaId: Id.nullish(),
    ...siteInputFields,
    Contacts: z
      .array(
        z.strictObject({
          Id: IdOrNew.default(0),
          Name: Written('name', RequiredLine(255)),
          Role: Line(100).optional(),
          Email: z.union([z.literal(''), Email]).optional(),
          Phone: Written('phone', Line(50)).optional(),
        }),
      )
      .max(100)
      .optional(),
    Departments: z
      .array(z.strictObject({ Id: IdOrNew.default(0), Name: RequiredLine(255) }))
      .max(200)
      .optional(),
    Networks: z
      .array(z.strictObject({ Id: IdOrNew.default(0), Name: RequiredLine(100), Range: Network }))
      .max(200)
      .optional(),
    Agreements: z
      .array(
        z
          .strictObject({
            Id: IdOrNew.default(0),
            InitialDate: DateOnly.nullish(),
            LastRenewalDate: DateOnly.nullish(),
            Terms: Line(255).optional(),
            IsActive: z.boolean().optional(),
            IsApproved: z.boolean().optional(),
            TerminationDate: DateOnly.nullish(),
            Notes: Text(2000).optional(),
          })
          .refine(
            ({ InitialDate, TerminationDate }) =>
              !InitialDate || !TerminationDate || InitialDate <= TerminationDate,
            { path: ['TerminationDate'], message: 'must not be before the initial date' },
          ),
      )
      .max(50)
      .optional(),
  })
  .refine(({ Latitude, Longitude }) => (Latitude ?? null) === null || (Longitude ?? null) !== null, {
    path: ['Longitude'],
    message: 'is required beside the latitude',
  })
  .refine(({ Latitude, Longitude }) => (Longitude ?? null) === null || (Latitude ?? null) !== null, {
    path: ['Latitude'],
    message: 'is required beside the longitude',
  })
export type SiteInput = z.input<typeof SiteInput>

export const createSite = endpoint({
  method: 'POST',
  path: '/programs/:programId/sites',
  may: 'sites.write',
  summary: 'Add a site',
  params: InProgram,
  body: SiteInput,
  answer: SiteDetail,
  errors: { 409: 'the external location id is taken' },
})

export const updateSite = endpoint({
  method: 'POST',
  path: '/programs/:programId/sites/:siteId',
  may: 'sites.write',
  summary: 'Change a site with its contacts, departments, networks and agreements',
  params: oneSite,
  body: SiteInput,
  answer: SiteDetail,
  errors: { 409: 'the external location id is taken, or the site was changed in the meantime' },
  basis: {
    read: getSite,
    date: 'ModDate',
    rows: { Contacts: ['Id'], Departments: ['Id'], Networks: ['Id'], Agreements: ['Id'] },
  },
})

export const deleteSite = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/sites/:siteId',
  may: 'sites.write',
  summary: 'Delete a site; it can be restored',
  params: oneSite,
  errors: { 409: 'students are placed here' },
})

export const restoreSite = endpoint({
  method: 'POST',
  path: '/programs/:programId/sites/:siteId/restore',
  may: 'sites.write',
  summary: 'Bring a deleted site back',
  params: oneSite,
  answer: SiteDetail,
  errors: { 409: 'another site has its external location id now' },
})

// Documents ------------------------------------------------------------------------------------------------------

export const addSiteDocument = endpoint({
  method: 'POST',
  path: '/programs/:programId/sites/:siteId/documents',
  may: 'sites.write',
  summary: 'Add a document to a site: PDF, picture, text or office file of at most 20 MiB',
  params: oneSite,
  body: z.strictObject({ Name: Line(255).optional() }).optional(),
  takes: 'multipart',
  bodyLimit: maxDocumentBytes,
  answer: SiteDocument,
  errors: { 413: 'larger than 20 MiB', 415: 'its content is of no accepted type' },
})

const oneDocument = z.strictObject({ programId: Id, siteId: Id, documentId: Id })

export const downloadSiteDocument = endpoint({
  method: 'GET',
  path: '/programs/:programId/sites/:siteId/documents/:documentId',
  may: 'sites.read',
  summary: 'A document of a site',
  params: oneDocument,
  answers: 'file',
})

export const removeSiteDocument = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/sites/:siteId/documents/:documentId',
  may: 'sites.write',
  summary: 'Remove a document of a site; it can be restored',
  params: oneDocument,
})

export const restoreSiteDocument = endpoint({
  method: 'POST',
  path: '/programs/:programId/sites/:siteId/documents/:documentId/restore',
  may: 'sites.write',
  summary: 'Bring a removed document back',
  params: oneDocument,
})

export const restoreSitePart = endpoint({
  method: 'POST',
  path: '/programs/:programId/sites/:siteId/removed-parts/:partId/restore',
  may: 'sites.write',
  summary: 'Bring a removed contact, department or network back',
  params: oneSite.extend({ partId: Id }),
})

// Supervisors ----------------------------------------------------------------------------------------------------

export const SupervisorItem = z.object({
  Id,
  Name: z.string(),
  UserName: z.string(),
  EmailAddress: z.string(),
  AccessLevel: z.number().int(),
  SiteCount: z.number().int(),
})
export type SupervisorItem = z.infer<typeof SupervisorItem>

export const listSupervisors = endpoint({
  method: 'GET',
  path: '/programs/:programId/supervisors',
  may: 'people.write',
  summary: 'Who can be tied to sites: supervisors, site employees and shared site logins',
  params: InProgram,
  query: z.strictObject({
    search: Line(100).optional(),
    /** Only people without a site. */
    WithoutSites: z.boolean().default(false),
    ...paging,
  }),
  answer: PageOf(SupervisorItem),
})

const oneSupervisor = z.strictObject({ programId: Id, userId: Id })

export const getSupervisorSites = endpoint({
  method: 'GET',
  path: '/programs/:programId/supervisors/:userId/sites',
  may: 'people.write',
  summary: 'The sites a supervisor is tied to',
  params: oneSupervisor,
  answer: z.object({ SiteIds: z.array(Id) }),
})

export const saveSupervisorSites = endpoint({
  method: 'POST',
  path: '/programs/:programId/supervisors/:userId/sites',
  may: 'people.write',
  summary: 'Tie a supervisor to exactly these sites',
  params: oneSupervisor,
  body: z.strictObject({ SiteIds: z.array(Id).max(10_000) }),
  answer: z.object({ Added: z.number().int(), Removed: z.number().int() }),
  errors: { 422: 'a site does not exist' },
  basis: { read: getSupervisorSites },
})

export const getSiteSupervisors = endpoint({
  method: 'GET',
  path: '/programs/:programId/sites/:siteId/supervisors',
  may: 'people.write',
  summary: 'The supervisors tied to a site',
  params: oneSite,
  answer: z.object({ UserIds: z.array(Id) }),
})

export const saveSiteSupervisors = endpoint({
  method: 'POST',
  path: '/programs/:programId/sites/:siteId/supervisors',
  may: 'people.write',
  summary: 'Tie exactly these supervisors to a site',
  params: oneSite,
  body: z.strictObject({ UserIds: z.array(Id).max(10_000) }),
  answer: z.object({ Added: z.number().int(), Removed: z.number().int() }),
  errors: { 422: 'a person does not exist or cannot be tied to sites' },
  basis: { read: getSiteSupervisors },
})
