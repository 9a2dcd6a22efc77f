import { z } from 'zod'
import { type Db, transaction } from '#server/core/database/pool.ts'
import { job } from '#server/core/runtime/jobs.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { notifyCoordinators } from '../communication/notifications.queries.ts'
import { remindOfRequest } from './asking.ts'
import { takeDueRequests, takeLateRequests } from './place-requests.queries.ts'
import { takeDue, takeLate } from './placement-lists.queries.ts'
import { remind } from './sending.ts'

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

/** Each hour, since programs are in many time zones. */
export const tendPlacementLists = job({
  name: 'placement-lists:tend',
  payload: z.object({}).loose(),
  cron: '17 * * * *',
  work: async (_payload, services) => {
    const { rows } = await services.pool.query<{ program_id: number }>(
      'select program_id from find_programs_with_due_lists()',
    )
    for (const { program_id } of rows)
      await transaction(services.pool, { accountId: null, programIds: [program_id] }, (db) =>
        tendLists(db, services, program_id),
      )
  },
})

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

const tendPlaceRequests = job({
  name: 'place-requests:tend',
  payload: z.object({}).loose(),
  cron: '27 * * * *',
  work: async (_payload, services) => {
    const { rows } = await services.pool.query<{ program_id: number }>(
      'select program_id from find_programs_with_due_place_requests()',
    )
    for (const { program_id } of rows)
      await transaction(services.pool, { accountId: null, programIds: [program_id] }, (db) =>
        tendRequests(db, services, program_id),
      )
  },
})

export const placementListJobs = [tendPlacementLists, tendPlaceRequests]
