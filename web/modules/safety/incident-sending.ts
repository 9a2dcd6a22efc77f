import { type IncidentInput, listOwnIncidents } from '#contract/safety/incidents.ts'
import type { Owner } from '#web/api/queue/queue.ts'
import { sendOrKeep } from '#web/api/queue/send-or-keep.ts'
import { queryClient, readKey } from '#web/api/use-call.ts'
import { incidentKind } from './incident-kind.ts'

/**
 * The one way by which a report leaves the device. Under the same key it is kept once.
 *
 * @returns whether the server has it
 * @throws CallError the server's refusal; nothing is kept then
 */
export const sendIncident = async (owner: Owner, body: IncidentInput): Promise<boolean> => {
  const isSaved = await sendOrKeep(incidentKind, owner, { body })
  if (isSaved) await queryClient.invalidateQueries({ queryKey: readKey(listOwnIncidents) })
  return isSaved
}
