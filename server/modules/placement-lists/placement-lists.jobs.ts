import { z } from 'zod'
import type { Db } from '#server/core/database/pool.ts'
import { notifyCoordinators } from '#server/core/mail/notices.ts'
import { inPrograms } from '#server/core/runtime/in-programs.ts'
import { job } from '#server/core/runtime/jobs.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { remindOfRequest } from './asking.service.ts'
import { takeLateRequests } from './place-requests.commands.ts'
import { takeDueRequests } from './place-requests.queries.ts'
import { takeLate } from './placement-lists.commands.ts'
import { takeDue } from './placement-lists.queries.ts'
import { remind } from './sending.service.ts'

/** Where coordinators see what sites answered. */
export const listsPage = '/new/admin/placement-lists'

/** Where coordinators see what sites offer. */
export const requestsPage = '/new/admin/place-requests'

/** Reminds sites two days before the date of a list, once, and tells coordinators which sites have not answered in time. */
export const tendLists = async (db: Db, services: Services, programId: number): Promise<void> => {
  for (const id of await takeDue(db, programId)) await remind(db, services, programId, id, null)
  for (const { id, text } of await takeLate(db, programId))
    await notifyCoordinators(db, programId, {
      kind: 'site_list_answered',
      text,
      link: `${listsPage}?show=late`,
      email: { label: 'SITE_list_answered', key: `list:${id}`, line: text },
    })
}

/** Reminds sites two days before the date of a request for places, once, and tells coordinators which have not answered in time. */
export const tendRequests = async (db: Db, services: Services, programId: number): Promise<void> => {
  for (const id of await takeDueRequests(db, programId))
    await remindOfRequest(db, services, programId, id, null)
  for (const { id, site, places } of await takeLateRequests(db, programId)) {
    const text = `${site} has not answered about ${places} place${places === 1 ? '' : 's'}`
    await notifyCoordinators(db, programId, {
      kind: 'site_places_answered',
      text,
      link: `${requestsPage}?show=late`,
      email: { label: 'SITE_places_answered', key: `places:${id}`, line: text },
    })
  }
}

/** Each hour, since programs are in many time zones; `due` names the programs with something to do. */
const tendHourly = (
  name: string,
  minute: number,
  due: string,
  tend: (db: Db, services: Services, programId: number) => Promise<void>,
) =>
  job({
    name,
    reachesOut: true,
    payload: z.object({}).loose(),
    cron: `${minute} * * * *`,
    work: (_payload, services) => inPrograms(services, due, (db, programId) => tend(db, services, programId)),
  })

export const placementListJobs = [
  tendHourly(
    'placement-lists:tend',
    17,
    `select distinct l.program_id from placement_list l where l.withdrawn_at is null and l.late_at is null
      and l.confirmed + l.declined < l.students and l.answer_by <= current_date + 3`,
    tendLists,
  ),
  tendHourly(
    'place-requests:tend',
    27,
    `select distinct r.program_id from place_request r where r.withdrawn_at is null and r.late_at is null and r.answer is null
      and r.answer_by <= current_date + 3`,
    tendRequests,
  ),
]
