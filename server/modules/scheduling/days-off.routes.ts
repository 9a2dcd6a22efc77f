import * as contract from '#contract/scheduling/days-off.ts'
import { handle } from '#server/core/http/handle.ts'
import { notFound } from '#server/core/runtime/failure.ts'

const columns = ['id as Id', 'name as Name', 'start_date as StartDate', 'end_date as EndDate'] as const

export const dayOffRoutes = [
  handle(contract.listDaysOff, ({ db, params, query }) =>
    db
      .selectFrom('day_off')
      .select(columns)
      .where('program_id', '=', params.programId)
      .$if(Boolean(query.FromDate), (days) => days.where('end_date', '>=', query.FromDate!))
      .$if(Boolean(query.ThroughDate), (days) => days.where('start_date', '<=', query.ThroughDate!))
      .orderBy('start_date')
      .orderBy('id')
      .execute(),
  ),

  handle(contract.createDayOff, ({ db, params, body }) =>
    db
      .insertInto('day_off')
      .values({
        program_id: params.programId,
        name: body.Name,
        start_date: body.StartDate,
        end_date: body.EndDate,
      })
      .returning(columns)
      .executeTakeFirstOrThrow(),
  ),

  handle(contract.updateDayOff, async ({ db, params, body }) => {
    const changed = await db
      .updateTable('day_off')
      .set({ name: body.Name, start_date: body.StartDate, end_date: body.EndDate })
      .where('program_id', '=', params.programId)
      .where('id', '=', params.dayOffId)
      .returning(columns)
      .executeTakeFirst()
    if (!changed) throw notFound('This day off')
    return changed
  }),

  handle(contract.deleteDayOff, async ({ db, params, audit }) => {
    const deleted = await db
      .deleteFrom('day_off')
      .where('program_id', '=', params.programId)
      .where('id', '=', params.dayOffId)
      .returning(columns)
      .executeTakeFirst()
    if (!deleted) throw notFound('This day off')
    audit.detail = { Before: deleted }
  }),
]
