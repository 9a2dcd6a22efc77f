import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import {
  Base64Html,
  DateOnly,
  Id,
  InProgram,
  Instant,
  PageOf,
  paging,
  Sort,
  toBase64,
} from '#contract/core/fields.ts'
import { Level } from '#contract/core/levels.ts'

/** To whom an announcement is shown, in the order of the selector. */
export const announcementCategories = [
  'All',
  'Students',
  'Registrants',
  'Alumni',
  'Faculty',
  'Supervisors',
  'Site employees',
  'Staff',
] as const
export const AnnouncementCategory = z.enum(announcementCategories)
export type AnnouncementCategory = z.infer<typeof AnnouncementCategory>

/** The categories that reach people of a level: All, their own, and Staff from Faculty on. */
export const categoriesOf = (level: number): AnnouncementCategory[] => {
  const own: Partial<Record<number, AnnouncementCategory>> = {
    [Level.Student]: 'Students',
    [Level.Registrant]: 'Registrants',
    [Level.Alumnus]: 'Alumni',
    [Level.Faculty]: 'Faculty',
    [Level.Supervisor]: 'Supervisors',
    [Level.CCUnderHood]: 'Supervisors',
    [Level.SiteEmployee]: 'Site employees',
  }
  return announcementCategories.filter(
    (category) =>
      category === 'All' || category === own[level] || (category === 'Staff' && level >= Level.Faculty),
  )
}

/** The levels that a category reaches. */
export const levelsOf = (category: AnnouncementCategory): number[] =>
  Object.values(Level).filter((level) => categoriesOf(level).includes(category))

export const Announcement = z.object({
  Id,
  Category: AnnouncementCategory,
  /** HTML. */
  Text: z.string(),
  IsActive: z.boolean(),
  /** Registrants are neither asked to acknowledge it nor told 'Acknowledged'. */
  HideAcknowledged: z.boolean(),
  /** While it is the newest, all other active ones are shown with it; otherwise it is shown alone. */
  ShowAllActive: z.boolean(),
  Date: DateOnly,
  Author: z.string(),
  /** People it reaches, and how many of them have acknowledged it. */
  Readers: z.number().int(),
  Acknowledged: z.number().int(),
})
export type Announcement = z.infer<typeof Announcement>

/** `Text` is HTML in base64, as in all forms with formatted text. */
export const AnnouncementInput = z.strictObject({
  Category: AnnouncementCategory,
  Text: Base64Html,
  IsActive: z.boolean().default(true),
  HideAcknowledged: z.boolean().default(false),
  ShowAllActive: z.boolean().default(true),
})
export type AnnouncementInput = z.input<typeof AnnouncementInput>

/** An announcement as its readers see it. */
export const ShownAnnouncement = z.object({
  Id,
  Html: z.string(),
  Date: DateOnly,
  AcknowledgedAt: Instant.nullable(),
  /** Whether it asks to be acknowledged, and says afterwards that it was. */
  AsksAcknowledgement: z.boolean(),
})
export type ShownAnnouncement = z.infer<typeof ShownAnnouncement>

/** Most announcements on a home page. */
export const maxShownAnnouncements = 20

const one = z.strictObject({ programId: Id, announcementId: Id })
const refused = { 422: 'the text is empty' } as const

export const listAnnouncements = endpoint({
  method: 'GET',
  path: '/programs/:programId/announcements',
  may: 'announcements.manage',
  summary: "The program's announcements, the newest first",
  params: InProgram,
  query: z.strictObject({
    search: z.string().max(200).default(''),
    Category: AnnouncementCategory.optional(),
    IsActive: z.boolean().optional(),
    ...paging,
  }),
  answer: PageOf(Announcement),
})

export const getAnnouncement = endpoint({
  method: 'GET',
  path: '/programs/:programId/announcements/:announcementId',
  may: 'announcements.manage',
  summary: 'One announcement',
  params: one,
  answer: Announcement,
})

export const createAnnouncement = endpoint({
  method: 'POST',
  path: '/programs/:programId/announcements',
  may: 'announcements.manage',
  summary: 'Announce something on the home pages of a category',
  params: InProgram,
  body: AnnouncementInput,
  answer: Announcement,
  errors: refused,
})

export const updateAnnouncement = endpoint({
  method: 'POST',
  path: '/programs/:programId/announcements/:announcementId',
  may: 'announcements.manage',
  summary: 'Change an announcement; who acknowledged it stays',
  params: one,
  body: AnnouncementInput,
  answer: Announcement,
  errors: refused,
  basis: { read: getAnnouncement, elsewhere: { Text: ({ Text }: Announcement) => toBase64(Text) } },
})

export const setAnnouncementActive = endpoint({
  method: 'POST',
  path: '/programs/:programId/announcements/:announcementId/is-active',
  may: 'announcements.manage',
  summary: 'Show an announcement, or take it from the home pages',
  params: one,
  query: z.strictObject({ value: z.boolean() }),
  answer: Announcement,
})

export const deleteAnnouncement = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/announcements/:announcementId',
  may: 'announcements.manage',
  summary: 'Delete an announcement',
  params: one,
})

export const restoreAnnouncement = endpoint({
  method: 'POST',
  path: '/programs/:programId/announcements/:announcementId/restoration',
  may: 'announcements.manage',
  summary: 'Bring a deleted announcement back, with who acknowledged it',
  params: one,
  answer: Announcement,
})

export const AnnouncementReader = z.object({
  Id,
  LastName: z.string(),
  FirstName: z.string(),
  AccessLevel: z.number().int(),
  AcknowledgedAt: Instant.nullable(),
})
export type AnnouncementReader = z.infer<typeof AnnouncementReader>

export const listAnnouncementReaders = endpoint({
  method: 'GET',
  path: '/programs/:programId/announcements/:announcementId/readers',
  may: 'announcements.manage',
  summary: 'The people an announcement reaches, and when each acknowledged it',
  params: one,
  query: z.strictObject({
    search: z.string().max(200).default(''),
    IsAcknowledged: z.boolean().optional(),
    sort: Sort(['LastName']).default('LastName'),
    ...paging,
  }),
  answer: PageOf(AnnouncementReader),
})

export const listOwnAnnouncements = endpoint({
  method: 'GET',
  path: '/announcements/mine',
  may: 'signed-in',
  summary: 'The announcements of the own home page, the newest first',
  answer: z.array(ShownAnnouncement),
})

export const acknowledgeAnnouncement = endpoint({
  method: 'POST',
  path: '/announcements/:announcementId/acknowledgements',
  may: 'signed-in',
  summary: 'Acknowledge an announcement; only the first time counts',
  params: z.strictObject({ announcementId: Id }),
  answer: ShownAnnouncement,
})
