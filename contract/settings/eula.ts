import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Base64Html, Id, Instant, toBase64 } from '#contract/core/fields.ts'

/** A saved text of the license agreement: every change is a version, and the last one is what people accept. */
export const EulaVersion = z.object({
  Id,
  SavedAt: Instant,
  SavedBy: z.string(),
  /** People who accepted this version while it was the current one. */
  Accepted: z.number().int(),
})
export type EulaVersion = z.infer<typeof EulaVersion>

export const getEula = endpoint({
  method: 'GET',
  path: '/eula',
  may: 'signed-in',
  duringStep: true,
  summary: 'The current license agreement, and whether the signed-in person has accepted it',
  answer: z.object({
    /** HTML; empty while there is no agreement. */
    text: z.string(),
    /** Null while no text was ever saved. */
    Version: Id.nullable(),
    AcceptedAt: Instant.nullable(),
  }),
})

/**
 * Saving: `updatedText` is HTML in base64, or with `isPlaintext` text whose lines become paragraphs. A
 * text that shows nothing ends the agreement: nobody is asked anymore.
 */
export const saveEula = endpoint({
  method: 'POST',
  path: '/eula',
  may: 'settings.manage',
  summary: 'Save the license agreement; everybody is asked to accept a text that has changed',
  body: z.strictObject({ updatedText: Base64Html, isPlaintext: z.boolean().default(false) }),
  answer: z.object({ Message: z.string() }),
  basis: { read: getEula, elsewhere: { updatedText: ({ text }: { text: string }) => toBase64(text) } },
})

export const acceptEula = endpoint({
  method: 'POST',
  path: '/eula/acceptances',
  may: 'signed-in',
  duringStep: true,
  summary: 'Accept the license agreement as it was read',
  body: z.strictObject({ Version: Id }),
  errors: { 409: 'the text has changed since' },
})

export const getEulaAcceptances = endpoint({
  method: 'GET',
  path: '/eula/acceptances',
  may: 'settings.manage',
  summary: 'How many people accepted the current agreement, and the versions, the newest first',
  answer: z.object({
    Accepted: z.number().int(),
    /** All active accounts of the installation. */
    People: z.number().int(),
    Versions: z.array(EulaVersion),
  }),
})

export const getEulaVersion = endpoint({
  method: 'GET',
  path: '/eula/versions/:versionId',
  may: 'settings.manage',
  summary: 'The text of an earlier version',
  params: z.strictObject({ versionId: Id }),
  answer: z.object({ text: z.string() }),
})
