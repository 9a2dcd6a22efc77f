import type { AnnouncementCategory } from '#contract/news/announcements.ts'
import type { WordKey } from '#web/words/plain-words.ts'

/** The words for each category of readers. */
export const categoryWord: Record<AnnouncementCategory, WordKey> = {
  All: 'announcements.categoryAll',
  Students: 'announcements.categoryStudents',
  Registrants: 'announcements.categoryRegistrants',
  Alumni: 'announcements.categoryAlumni',
  Faculty: 'announcements.categoryFaculty',
  Supervisors: 'announcements.categorySupervisors',
  'Site employees': 'announcements.categorySiteEmployees',
  Staff: 'announcements.categoryStaff',
}
