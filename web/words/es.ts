import type { en } from './en.ts'
import { account } from './es/account.ts'
import { announcements } from './es/announcements.ts'
import { audit } from './es/audit.ts'
import { call } from './es/call.ts'
import { clinicalRecords } from './es/clinical-records.ts'
import { communication } from './es/communication.ts'
import { competencyProgress } from './es/competency-progress.ts'
import { documents } from './es/documents.ts'
import { effectiveness } from './es/effectiveness.ts'
import { employment } from './es/employment.ts'
import { evaluations } from './es/evaluations.ts'
import { exams } from './es/exams.ts'
import { finder } from './es/finder.ts'
import { homes } from './es/homes.ts'
import { identity } from './es/identity.ts'
import { imports } from './es/imports.ts'
import { inbox } from './es/inbox.ts'
import { links } from './es/links.ts'
import { lti } from './es/lti.ts'
import { packets } from './es/packets.ts'
import { people } from './es/people.ts'
import { placeRequests } from './es/place-requests.ts'
import { placement } from './es/placement.ts'
import { placementLists } from './es/placement-lists.ts'
import { procedureLog } from './es/procedure-log.ts'
import { progress } from './es/progress.ts'
import { push } from './es/push.ts'
import { requirements } from './es/requirements.ts'
import { safety } from './es/safety.ts'
import { scheduling } from './es/scheduling.ts'
import { settings } from './es/settings.ts'
import { shell } from './es/shell.ts'
import { shiftChanges } from './es/shift-changes.ts'
import { students } from './es/students.ts'
import { time } from './es/time.ts'
import { ui } from './es/ui.ts'
import { verifications } from './es/verifications.ts'

/** Without the name that every object has anyway. */
type Partly<T> = { readonly [K in Exclude<keyof T, 'valueOf'>]?: T[K] extends string ? string : Partly<T[K]> }

/**
 * The Spanish texts, by the same files and names as the English ones: all of the pages of students, supervisors and graduates, of the
 * entrance and of links (`words-in-spanish.test.ts` says which). What only staff see is missing here, and English.
 */
export const es = {
  account,
  announcements,
  audit,
  call,
  clinicalRecords,
  communication,
  competencyProgress,
  documents,
  effectiveness,
  employment,
  evaluations,
  exams,
  finder,
  homes,
  identity,
  imports,
  inbox,
  links,
  lti,
  packets,
  people,
  placeRequests,
  placement,
  placementLists,
  procedureLog,
  progress,
  push,
  requirements,
  safety,
  scheduling,
  settings,
  shell,
  shiftChanges,
  students,
  time,
  ui,
  verifications,
} satisfies Partly<typeof en>
