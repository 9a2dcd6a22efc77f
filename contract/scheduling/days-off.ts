import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, InProgram, RequiredLine } from '#contract/core/fields.ts'

export const DayOff = z.object({ Id, Name: z.string(), StartDate: DateOnly, EndDate: DateOnly })
export type DayOff = z.infer<typeof DayOff>

export const DayOffInput = z
  .strictObject({ Name: RequiredLine(100), StartDate: DateOnly, EndDate: DateOnly })
  .refine(({ StartDate, EndDate }) => StartDate <= EndDate, {
    path: ['EndDate'],
    message: 'must not be before the start date',
  })

const oneDayOff = z.strictObject({ programId: Id, dayOffId: Id })

export const listDaysOff = endpoint({
  method: 'GET',
  path: '/programs/:programId/days-off',
  may: 'scheduling.read',
  summary: 'Holidays and other days without placements',
  params: InProgram,
  query: z.strictObject({ FromDate: DateOnly.optional(), ThroughDate: DateOnly.optional() }),
  answer: z.array(DayOff),
})

export const createDayOff = endpoint({
  method: 'POST',
  path: '/programs/:programId/days-off',
  may: 'scheduling.plan',
  summary: 'Add a day off',
  params: InProgram,
  body: DayOffInput,
  answer: DayOff,
})

export const updateDayOff = endpoint({
  method: 'POST',
  path: '/programs/:programId/days-off/:dayOffId',
  may: 'scheduling.plan',
  summary: 'Change a day off',
  params: oneDayOff,
  body: DayOffInput,
  answer: DayOff,
  basis: { read: listDaysOff, item: 'dayOffId' },
})

export const deleteDayOff = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/days-off/:dayOffId',
  may: 'scheduling.plan',
  summary: 'Delete a day off',
  params: oneDayOff,
})
