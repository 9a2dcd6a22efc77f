import { reportIncident } from '#contract/safety/incidents.ts'
import { queueKind } from '#web/api/queue/item.ts'

/** Reports of incidents that wait on this device. */
export const incidentKind = queueKind({ name: 'incidents', call: reportIncident })
