import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import {
  DateOnly,
  Id,
  IdOrNew,
  InProgram,
  Latitude,
  Line,
  Longitude,
  PageOf,
  paging,
  RequiredLine,
  Sort,
  Written,
} from '#contract/core/fields.ts'
import { arrangementStandings } from '#contract/payments/payments-rules.ts'
import { ProgramOptions } from './program-options.ts'

export const College = z.object({ Id, Name: z.string() })
export type College = z.infer<typeof College>

/** A program as lists and pickers show it: 'college name - program name'. */
export const ProgramItem = z.object({
  Id,
  Name: z.string(),
  CollegeId: Id,
  CollegeName: z.string(),
  ProgramTypeId: Id.nullable(),
  DelFlag: z.boolean(),
})
export type ProgramItem = z.infer<typeof ProgramItem>

export const programLabel = ({ CollegeName, Name }: Pick<ProgramItem, 'CollegeName' | 'Name'>): string =>
  `${CollegeName} - ${Name}`

const oneCollege = z.strictObject({ collegeId: Id })

export const listColleges = endpoint({
  method: 'GET',
  path: '/colleges',
  may: 'programs.list',
  summary: 'The colleges by name; for people of a program, their own',
  query: z.strictObject({ search: z.string().max(100).optional() }),
  answer: z.array(College),
})

export const CollegeRow = College.extend({
  City: z.string(),
  State: z.string(),
  Website: z.string(),
  ProgramCount: z.number().int(),
})
export type CollegeRow = z.infer<typeof CollegeRow>

export const searchColleges = endpoint({
  method: 'GET',
  path: '/colleges/list',
  may: 'colleges.manage',
  summary: 'A page of the colleges, for managing them',
  query: z.strictObject({
    ...paging,
    search: z.string().max(100).default(''),
    sort: Sort(['Name', 'State', 'ProgramCount']).default('Name'),
  }),
  answer: PageOf(CollegeRow),
})

const CollegeFields = {
  Name: Written('name', RequiredLine(255)),
  Address: Line(255).default(''),
  City: Line(100).default(''),
  State: Line(50).default(''),
  Zip: Written('postalCode', Line(50)).default(''),
  Phone: Written('phone', Line(50)).default(''),
  Website: Written('website', Line(255)).default(''),
  Latitude: Latitude.nullable().default(null),
  Longitude: Longitude.nullable().default(null),
}
export const CollegeInput = z.strictObject(CollegeFields)
export type CollegeInput = z.output<typeof CollegeInput>
export const CollegeDetail = z.object({ Id, ...CollegeFields, IpedsId: z.string().nullable() })
export type CollegeDetail = z.infer<typeof CollegeDetail>

export const getCollege = endpoint({
  method: 'GET',
  path: '/colleges/:collegeId',
  may: 'colleges.manage',
  summary: 'One college',
  params: oneCollege,
  answer: CollegeDetail,
})

export const createCollege = endpoint({
  method: 'POST',
  path: '/colleges',
  may: 'colleges.manage',
  summary: 'Add a college',
  body: CollegeInput,
  answer: CollegeDetail,
})

export const updateCollege = endpoint({
  method: 'POST',
  path: '/colleges/:collegeId',
  may: 'colleges.manage',
  summary: 'Change a college',
  params: oneCollege,
  body: CollegeInput,
  answer: CollegeDetail,
  basis: { read: getCollege },
})

export const deleteCollege = endpoint({
  method: 'DELETE',
  path: '/colleges/:collegeId',
  proof: true,
  may: 'colleges.manage',
  summary: 'Delete a college without programs',
  params: oneCollege,
  errors: { 409: 'it has programs' },
})

export const restoreCollege = endpoint({
  method: 'POST',
  path: '/colleges/:collegeId/restore',
  may: 'colleges.manage',
  summary: 'Bring a deleted college back',
  params: oneCollege,
})

export const listProgramsOfCollege = endpoint({
  method: 'GET',
  path: '/colleges/:collegeId/programs',
  may: 'programs.list',
  summary: 'The programs of a college by name',
  params: oneCollege,
  answer: z.array(ProgramItem),
  errors: { 404: 'the college does not exist or not yours' },
})

export const listPrograms = endpoint({
  method: 'GET',
  path: '/programs',
  may: 'programs.list',
  summary: 'The programs by college and name; for people of a program, their own',
  answer: z.array(ProgramItem),
})

/** Active=0, Recently Deleted=1. A deleted program is listed for 90 days. */
export const recentlyDeletedDays = 90

const ProgramFilter = {
  Activity: z.number().int().min(0).max(1).default(0),
  CollegeIds: z.array(Id).max(500).default([]),
  ModalityIds: z.array(Id).max(100).default([]),
  ClassIds: z.array(Id).max(100).default([]),
  HasCredit: z.number().int().min(0).max(1).optional(),
  search: z.string().max(100).default(''),
  sort: Sort(['Id', 'CollegeName', 'Name', 'Modality', 'Class', 'State']).default('CollegeName'),
}

export const ProgramRow = z.object({
  Id,
  CollegeId: Id,
  CollegeName: z.string(),
  Name: z.string(),
  Modality: z.string().nullable(),
  Class: z.string().nullable(),
  State: z.string(),
  Credit: z.boolean(),
  TwoFactor: z.boolean(),
  Payments: z.boolean(),
  /** The arrangement that counts today, else the next, else the last. */
  Arrangement: z.object({ Id, Standing: z.enum(arrangementStandings) }).nullable(),
  DeletedAt: z.string().nullable(),
})
export type ProgramRow = z.infer<typeof ProgramRow>

export const searchPrograms = endpoint({
  method: 'GET',
  path: '/programs/list',
  may: 'programs.manage',
  summary: 'A page of the programs, for managing them',
  query: z.strictObject({ ...paging, ...ProgramFilter }),
  answer: PageOf(ProgramRow),
})

export const exportPrograms = endpoint({
  method: 'GET',
  path: '/programs/export',
  proof: 'file',
  isHeavy: true,
  mayBeBehind: true,
  may: 'programs.manage',
  summary: 'The filtered programs as an Excel file',
  query: z.strictObject(ProgramFilter),
  answers: 'file',
  fileTypes: ['xlsx'],
})

const timeZones = new Set(Intl.supportedValuesOf('timeZone'))

const ProgramFields = {
  CollegeId: Id,
  Name: RequiredLine(255),
  ModalityId: Id.nullable(),
  ProgramClassId: Id.nullable(),
  ProgramTypeId: Id.nullable(),
  LanguageProfileId: Id.nullable(),
  State: Line(50),
  TimeZone: z
    .string()
    .refine((zone) => timeZones.has(zone) || zone === 'UTC', 'must be the name of a time zone'),
  HasCredit: z.boolean(),
  RequiresTotp: z.boolean(),
  HasPayments: z.boolean(),
  ActiveFrom: DateOnly.nullable(),
  ActiveThrough: DateOnly.nullable(),
}
export const ProgramInput = z
  .strictObject(ProgramFields)
  .refine(({ ActiveFrom, ActiveThrough }) => !ActiveFrom || !ActiveThrough || ActiveFrom <= ActiveThrough, {
    path: ['ActiveThrough'],
    message: 'must not be before the first day',
  })
export type ProgramInput = z.output<typeof ProgramInput>
export const ProgramDetail = z.object({ Id, ...ProgramFields, CollegeName: z.string(), DelFlag: z.boolean() })
export type ProgramDetail = z.infer<typeof ProgramDetail>

export const getProgram = endpoint({
  method: 'GET',
  path: '/programs/:programId',
  may: 'programs.manage',
  summary: 'One program',
  params: InProgram,
  answer: ProgramDetail,
})

export const createProgram = endpoint({
  method: 'POST',
  path: '/programs',
  may: 'programs.manage',
  summary: 'Add a program to a college',
  body: ProgramInput,
  answer: ProgramDetail,
  errors: { 409: 'the college has a program of this name' },
})

export const updateProgram = endpoint({
  method: 'POST',
  path: '/programs/:programId',
  may: 'programs.manage',
  summary: 'Change a program',
  params: InProgram,
  body: ProgramInput,
  answer: ProgramDetail,
  errors: { 409: 'the college has a program of this name' },
  basis: { read: getProgram },
})

export const deleteProgram = endpoint({
  method: 'DELETE',
  path: '/programs/:programId',
  proof: true,
  may: 'programs.manage',
  summary: 'Delete a program; it can be restored for 90 days',
  params: InProgram,
})

export const restoreProgram = endpoint({
  method: 'POST',
  path: '/programs/:programId/restore',
  may: 'programs.manage',
  summary: 'Bring a deleted program back',
  params: InProgram,
  errors: { 409: 'its name is taken in the meantime' },
})

export const getProgramOptions = endpoint({
  method: 'GET',
  path: '/programs/:programId/options',
  may: 'program.settings',
  summary: 'The options of a program',
  params: InProgram,
  answer: z.object(ProgramOptions.shape),
})

export const saveProgramOptions = endpoint({
  method: 'POST',
  path: '/programs/:programId/options',
  may: 'program.settings',
  summary: 'Change the options of a program',
  params: InProgram,
  body: ProgramOptions,
  answer: z.object(ProgramOptions.shape),
  basis: { read: getProgramOptions },
})

export const Modality = z.object({
  Id,
  Name: z.string(),
  DelFlag: z.boolean(),
  ProgramCount: z.number().int(),
})
export type Modality = z.infer<typeof Modality>
/** A modality is sent whole, with Id 0 when it is new; what is counted about it changes nothing. */
const ModalityInput = z.strictObject({
  Id: IdOrNew,
  Name: RequiredLine(100),
  DelFlag: z.boolean(),
  ProgramCount: z.number().optional(),
})

export const listModalities = endpoint({
  method: 'GET',
  path: '/modalities',
  may: 'programs.manage',
  summary: 'The fields of study',
  answer: z.array(Modality),
})

export const createModality = endpoint({
  method: 'POST',
  path: '/modalities',
  may: 'programs.manage',
  summary: 'Add a modality',
  body: ModalityInput,
  answer: Modality,
  errors: { 409: 'the name is taken' },
})

export const updateModality = endpoint({
  method: 'POST',
  path: '/modalities/:modalityId',
  may: 'programs.manage',
  summary: 'Change a modality, or bring a deleted one back',
  params: z.strictObject({ modalityId: Id }),
  body: ModalityInput,
  answer: Modality,
  errors: { 409: 'the name is taken' },
  basis: { read: listModalities, item: 'modalityId' },
})

export const deleteModality = endpoint({
  method: 'DELETE',
  path: '/modalities/:modalityId',
  may: 'programs.manage',
  summary: 'Delete a modality that no program uses',
  params: z.strictObject({ modalityId: Id }),
  errors: { 409: 'programs use it' },
})
