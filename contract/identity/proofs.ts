import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'

/** By what a person proves who it is. */
export const proofKinds = ['password', 'email'] as const

export const getProofKinds = endpoint({
  method: 'GET',
  path: '/auth/proofs',
  class: 'security',
  may: 'signed-in',
  duringStep: true,
  summary: 'By what one can prove who it is before a call that needs a proof',
  answer: z.object({
    /** Empty where there is neither a password nor a confirmed address: then only signing in again proves it. */
    Kinds: z.array(z.enum(proofKinds)),
    /** A code of the authenticator is asked for besides. */
    NeedsCode: z.boolean(),
    /** Where the code is mailed to; null where none can be. */
    EmailAddress: z.string().nullable(),
  }),
})

export const mailProofCode = endpoint({
  method: 'POST',
  path: '/auth/proof-codes',
  may: 'signed-in',
  duringStep: true,
  summary: 'Mail a code to the own confirmed address, for accounts without a password',
  status: 202,
  errors: { 422: 'the account has a password, or no confirmed address', 429: 'too many requests' },
})

/** The code of the authenticator, or a recovery code, where one is set up. */
const Code = z.string().max(50).optional()

export const prove = endpoint({
  method: 'POST',
  path: '/auth/proofs',
  may: 'signed-in',
  duringStep: true,
  summary: 'Prove who it is; for five minutes this session may make calls that need a proof',
  body: z.discriminatedUnion('Kind', [
    z.strictObject({ Kind: z.literal('password'), Password: z.string().max(1000), Code }),
    z.strictObject({ Kind: z.literal('email'), MailedCode: z.string().max(50), Code }),
  ]),
  errors: { 422: 'what was typed is not right', 429: 'too many attempts' },
})
