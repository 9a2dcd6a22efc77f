import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, Minutes, PageOf, paging, TimeOfDay } from '#contract/core/fields.ts'
import { LibraryDocument } from '#contract/documents/documents.ts'
import { ShownNews } from '#contract/news/news.ts'
import { ShiftType } from '#contract/scheduling/site-shifts.ts'

/** What people of sites, employees and alumni open each day. */

const Count = z.number().int()

/** Who of the program answers questions: its coordinators and directors. */
export const ProgramContact = z.object({
  Id,
  Name: z.string(),
  AccessLevel: Count,
  PhoneNumber: z.string(),
  EmailAddress: z.string(),
})
export type ProgramContact = z.infer<typeof ProgramContact>

export const MemberHome = z.object({
  Program: z.string(),
  College: z.string(),
  Contacts: z.array(ProgramContact),
  /** The newest documents for the reader, and how many there are. */
  Documents: z.array(LibraryDocument),
  DocumentCount: Count,
  News: z.array(ShownNews),
})
export type MemberHome = z.infer<typeof MemberHome>

export const getMemberHome = endpoint({
  method: 'GET',
  path: '/member-home',
  may: 'member-home.read',
  summary:
    'Contacts of the own program, new documents and news, for people who are neither staff nor students',
  answer: MemberHome,
})

export const getOwnDetails = endpoint({
  method: 'GET',
  path: '/own-details',
  may: 'signed-in',
  summary: 'What the program keeps of the caller and only it changes, and whom to ask for a change',
  answer: z.object({
    Name: z.string(),
    PhoneNumber: z.string(),
    Zip: z.string(),
    Institution: z.string(),
    /** Of students alone. */
    StudentNumber: z.string().nullable(),
    Contacts: z.array(ProgramContact),
  }),
})

export const OwnSite = z.object({
  Id,
  Name: z.string(),
  Address: z.string(),
  PhoneNumber: z.string(),
  /** Students with a shift here: today, in this week, and in the next. */
  Today: Count,
  Week: Count,
  NextWeek: Count,
})
export type OwnSite = z.infer<typeof OwnSite>

export const listOwnSites = endpoint({
  method: 'GET',
  path: '/own-sites',
  may: 'own-sites.read',
  summary: 'The sites that somebody of a site is tied to, with how many students come',
  query: z.strictObject(paging),
  answer: PageOf(OwnSite),
})

export const OwnSiteAgreement = z.object({
  SiteId: Id,
  Site: z.string(),
  /** The end of the agreement in force that ends last; null where it has no end or there is none. */
  EndDate: DateOnly.nullable(),
  State: z.enum(['in-force', 'ending', 'urgent', 'expired', 'none']),
})
export const OwnSiteDocument = z.object({
  Id,
  SiteId: Id,
  Site: z.string(),
  Name: z.string(),
  MediaType: z.string(),
  ByteCount: Count,
})

export const getOwnSitePapers = endpoint({
  method: 'GET',
  path: '/own-sites/papers',
  may: 'expected-students.read',
  summary: 'Documents of the own sites and the end of their agreements',
  answer: z.object({
    Agreements: z.array(OwnSiteAgreement),
    /** The newest, at most 50. */
    Documents: z.array(OwnSiteDocument),
  }),
})

export const downloadOwnSiteDocument = endpoint({
  method: 'GET',
  path: '/own-sites/:siteId/documents/:documentId',
  may: 'expected-students.read',
  summary: 'A document of an own site',
  params: z.strictObject({ siteId: Id, documentId: Id }),
  answers: 'file',
})

export const ExpectedStudent = z.object({
  AssignmentId: Id,
  StudentId: Id,
  Student: z.string(),
  StudentLevel: z.string().nullable(),
  Date: DateOnly,
  StartTime: TimeOfDay,
  EndTime: TimeOfDay,
  ShiftType,
  ShiftName: z.string(),
  SiteId: Id,
  Site: z.string(),
  /** Of today: whether the student is here, was here, or will not come. */
  State: z.enum(['ahead', 'here', 'left', 'absent', 'awaited']),
})
export type ExpectedStudent = z.infer<typeof ExpectedStudent>

export const listExpectedStudents = endpoint({
  method: 'GET',
  path: '/expected-students',
  may: 'expected-students.read',
  summary:
    'Who comes to the own sites and when: today, in the seven days from today on, in this week from today on, or in the next',
  query: z.strictObject({
    ...paging,
    When: z.enum(['today', 'days', 'week', 'next']).default('today'),
    SiteId: Id.optional(),
  }),
  answer: PageOf(ExpectedStudent),
})

export const HoursRecord = z.object({
  Name: z.string(),
  Program: z.string(),
  College: z.string(),
  Cohort: z.string(),
  ApprovedMinutes: Minutes,
  TargetMinutes: Minutes,
  Rotations: z.array(
    z.object({
      /** 0 is time outside any rotation. */
      Id: Count,
      Name: z.string(),
      StartDate: DateOnly.nullable(),
      EndDate: DateOnly.nullable(),
      Sites: z.array(z.string()),
      ApprovedMinutes: Minutes,
      TargetMinutes: Minutes,
    }),
  ),
})
export type HoursRecord = z.infer<typeof HoursRecord>

export const getHoursRecord = endpoint({
  method: 'GET',
  path: '/hours-record',
  may: 'hours-record.own',
  summary: 'The own approved hours by rotation, with the sites',
  answer: HoursRecord,
})

export const exportHoursRecord = endpoint({
  method: 'GET',
  path: '/hours-record/export',
  isHeavy: true,
  mayBeBehind: true,
  may: 'hours-record.own',
  summary: 'The own approved hours as a PDF to keep',
  answers: 'file',
  fileTypes: ['pdf'],
})
