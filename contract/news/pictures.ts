import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { InProgram } from '#contract/core/fields.ts'

/** Largest picture of a formatted text. */
export const maxPictureBytes = 5 * 1024 * 1024

/** Where a picture is: what is in the text's HTML. A path on this installation, with its root. */
export const AddedPicture = z.object({ Address: z.string() })

const errors = { 413: 'larger than 5 MiB', 415: 'no PNG, JPEG, GIF or WebP by its content' } as const

export const addPicture = endpoint({
  method: 'POST',
  path: '/programs/:programId/pictures',
  may: 'pictures.add',
  summary: 'Keep a picture for a formatted text of the program',
  params: InProgram,
  takes: 'multipart',
  bodyLimit: maxPictureBytes + 64 * 1024,
  answer: AddedPicture,
  errors,
})

export const addInstallationPicture = endpoint({
  method: 'POST',
  path: '/pictures',
  may: 'installation-pictures.add',
  summary: 'Keep a picture for a formatted text that all programs read',
  takes: 'multipart',
  bodyLimit: maxPictureBytes + 64 * 1024,
  answer: AddedPicture,
  errors,
})

export const getPicture = endpoint({
  method: 'GET',
  path: '/pictures/:key',
  may: 'signed-in',
  summary: 'A picture of a formatted text',
  params: z.strictObject({ key: z.string().regex(/^[0-9a-f]{40}$/) }),
  answers: 'file',
  fileTypes: ['png', 'jpeg', 'gif', 'webp'],
  isPicture: true,
})
