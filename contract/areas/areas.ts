import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Id, IdOrNew, InProgram, RequiredLine } from '#contract/core/fields.ts'

/** A part of a program's field, with its people and sites. */
export const Area = z.object({
  Id,
  Name: z.string(),
  IsActive: z.boolean(),
  AreNotificationsEnabled: z.boolean(),
  /** People assigned to it; above 0 it can be neither deleted nor set inactive. */
  UserCount: z.number().int(),
})
export type Area = z.infer<typeof Area>

/** The name is required, trimmed, and at most 100 characters. */
export const AreaInput = z.strictObject({
  Id: IdOrNew.optional(),
  Name: RequiredLine(100),
  IsActive: z.boolean(),
  AreNotificationsEnabled: z.boolean(),
})
export type AreaInput = z.input<typeof AreaInput>

const oneArea = z.strictObject({ programId: Id, areaId: Id })

export const listAreas = endpoint({
  method: 'GET',
  path: '/programs/:programId/areas',
  may: 'areas.read',
  summary: "The program's areas by name",
  params: InProgram,
  query: z.strictObject({ all: z.boolean().default(false) }),
  answer: z.array(Area),
})

export const createArea = endpoint({
  method: 'POST',
  path: '/programs/:programId/areas',
  may: 'areas.write',
  summary: 'Add an area',
  params: InProgram,
  body: AreaInput,
  answer: Area,
  errors: { 409: 'the name is taken' },
})

export const updateArea = endpoint({
  method: 'POST',
  path: '/programs/:programId/areas/:areaId',
  may: 'areas.write',
  summary: 'Change an area',
  params: oneArea,
  body: AreaInput,
  answer: Area,
  errors: { 409: 'the name is taken, or people are assigned to an area set inactive' },
  basis: { read: listAreas, query: { all: true }, item: 'areaId' },
})

export const toggleArea = endpoint({
  method: 'POST',
  path: '/programs/:programId/areas/:areaId/is-active',
  may: 'areas.write',
  summary: 'Set an area inactive, or active again',
  params: oneArea,
  answer: Area,
  errors: { 409: 'people are assigned' },
})

export const deleteArea = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/areas/:areaId',
  may: 'areas.write',
  summary: 'Delete an area; it can be restored',
  params: oneArea,
  errors: { 409: 'people are assigned' },
})

export const restoreArea = endpoint({
  method: 'POST',
  path: '/programs/:programId/areas/:areaId/restoration',
  may: 'areas.write',
  summary: 'Bring a deleted area back',
  params: oneArea,
  answer: Area,
  errors: { 409: 'the name is taken by now' },
})
