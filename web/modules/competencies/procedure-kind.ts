import { saveProcedures } from '#contract/competencies/procedure-logs.ts'
import { queueKind } from '#web/api/queue/item.ts'

/** What was logged of a day and waits; days do not wait for each other. */
export const procedureKind = queueKind({
  name: 'procedures',
  call: saveProcedures,
  groupOf: ({ body }) => body.Date,
})
