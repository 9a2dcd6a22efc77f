import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'

/** By what a person proves who it is. */
export const proofKinds = ['password', 'email', 'sign-in'] as const

export const getProofKinds = endpoint({
  method: 'GET',
  path: '/auth/proofs',
  class: 'security',
  may: 'signed-in',
  duringStep: true,
  summary: 'By what one can prove who it is before a call that needs a proof',
  answer: z.object({
    /**
     * Where there is neither a password nor a confirmed address, only signing in proves it: `sign-in` for five minutes, then empty until
     * the person signs in again.
     */
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
  answersSecret: true,
  body: z.discriminatedUnion('Kind', [
    z.strictObject({ Kind: z.literal('password'), Password: z.string().max(1000), Code }),
    z.strictObject({ Kind: z.literal('email'), MailedCode: z.string().max(50), Code }),
    z.strictObject({ Kind: z.literal('sign-in'), Code }),
  ]),
  /** Goes in the header `X-Proof` of calls whose effect lasts longer than the session. Nobody else who has the session’s cookie knows it. */
  answer: z.object({ Proof: z.string() }),
  errors: { 422: 'what was typed is not right', 429: 'too many attempts' },
})
