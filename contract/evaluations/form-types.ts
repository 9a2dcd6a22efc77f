import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Id, InProgram, RequiredLine } from '#contract/core/fields.ts'

/** Decides where the forms of a kind are offered. */
export const FormType = z.object({
  Id,
  Name: z.string(),
  /** Whether templates of this type are offered when an evaluation is asked for. */
  ViewOnForm: z.boolean(),
  /** Templates of this type; above 0 it cannot be deleted. */
  TemplateCount: z.number().int(),
})
export type FormType = z.infer<typeof FormType>

const FormTypeInput = z.strictObject({ Name: RequiredLine(100), ViewOnForm: z.boolean().default(true) })

const oneFormType = z.strictObject({ programId: Id, formTypeId: Id })

export const listFormTypes = endpoint({
  method: 'GET',
  path: '/programs/:programId/form-types',
  may: 'evaluations.read',
  summary: 'The form types by name',
  params: InProgram,
  answer: z.array(FormType),
})

export const createFormType = endpoint({
  method: 'POST',
  path: '/programs/:programId/form-types',
  may: 'evaluations.design',
  summary: 'Add a form type',
  params: InProgram,
  body: FormTypeInput,
  answer: FormType,
  errors: { 409: 'the name is taken' },
})

export const updateFormType = endpoint({
  method: 'POST',
  path: '/programs/:programId/form-types/:formTypeId',
  may: 'evaluations.design',
  summary: 'Change a form type',
  params: oneFormType,
  body: FormTypeInput,
  answer: FormType,
  errors: { 409: 'the name is taken' },
  basis: { read: listFormTypes, item: 'formTypeId' },
})

export const deleteFormType = endpoint({
  method: 'DELETE',
  path: '/programs/:programId/form-types/:formTypeId',
  may: 'evaluations.design',
  summary: 'Delete a form type that no template is of',
  params: oneFormType,
  errors: { 409: 'templates are of this type' },
})

export const restoreFormType = endpoint({
  method: 'POST',
  path: '/programs/:programId/form-types/:formTypeId/restore',
  may: 'evaluations.design',
  summary: 'Bring a deleted form type back',
  params: oneFormType,
  answer: FormType,
  errors: { 409: 'the name was taken in the meantime' },
})
