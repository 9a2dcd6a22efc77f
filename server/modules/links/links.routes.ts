import * as contract from '#contract/links/links.ts'
import { handle } from '#server/core/http/handle.ts'
import type { ScopedLink } from './links.queries.ts'
import { deviceOf, findOpenable, mailCode, open } from './links.service.ts'

/** `ada@hospital.example` as `a…@hospital.example`. */
const shortened = (email: string): string => email.replace(/^(.).*@/, '$1…@')

const stateOf = (link: ScopedLink, IsKnownDevice: boolean): contract.LinkState => ({
  Kind: link.kind,
  Program: link.program,
  College: link.college,
  RecipientName: link.recipientName,
  RecipientEmail: shortened(link.recipientEmail),
  ExpiresAt: link.expiresAt,
  IsKnownDevice,
})

export const linkRoutes = [
  handle(contract.getLink, async (call) => {
    const link = await findOpenable(call, call.params.token)
    return stateOf(link, (await deviceOf(call, link)) !== undefined)
  }),

  handle(contract.mailLinkCode, async (call) => {
    const link = await findOpenable(call, call.params.token)
    return { Key: await mailCode(call, link) }
  }),

  handle(contract.openLink, async (call) => {
    const link = await findOpenable(call, call.params.token)
    await open(call, link, { key: call.body.Key, code: call.body.Code })
    return stateOf(link, true)
  }),
]
