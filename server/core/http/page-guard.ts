import type { FastifyReply, FastifyRequest } from 'fastify'
import { Level } from '#contract/core/levels.ts'
import { isStaffAddress, mayOpen, pageAt } from '#contract/core/pages.ts'
import { homePath } from '#contract/session/session.ts'
import { cookiesOf, redirectCookie, redirectSeconds, sessionCookie } from '#server/core/auth/cookies.ts'
import { localPath } from '#server/core/auth/local-path.ts'
import { findSessionAnywhere, type SignedIn } from '#server/core/auth/session.ts'
import type { Services } from '#server/core/runtime/services.ts'

/** Whether a page opens before signing in. */
const isOpen = (path: string): boolean => pageAt(path)?.isOpen === true

/** A page that is shown: to whom, or to anybody. */
export interface Shown {
  signedIn?: SignedIn
}

/**
 * Guards for whole pages, by the table of pages: without a sign-in to the login page with the path
 * kept in a cookie; while a step waits, to its page; without the right to a page home, staff to theirs. What happens
 * inside a page is decided by the calls. Undefined when the answer was sent.
 */
export const guardPage = async (
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Shown | undefined> => {
  const { appRoot } = services.config
  const path = request.url.slice(appRoot.length).split('?')[0]!
  const cookies = cookiesOf(request, reply, sessionCookie(services).startsWith('__Host-'))
  const sendTo = async (address: string): Promise<undefined> => {
    await reply.redirect(`${appRoot}${address}`)
  }
  const remember = () => cookies.set(redirectCookie, request.url, { maxAgeSeconds: redirectSeconds })
  if (isOpen(path)) return {}
  const token = cookies.get(sessionCookie(services))
  const signedIn = token ? await findSessionAnywhere(services, token) : undefined
  if (!signedIn || signedIn.user.AccessLevel === Level.Unknown) {
    remember()
    return sendTo('/new/login')
  }
  const { user, session } = signedIn
  const isIndex = /^\/new\/?$/.test(path)
  if (session.step) {
    if (path === `/new${session.step.page}`) return { signedIn }
    // The index page is where a step leads when it is done: nobody asked for it, and it must not replace a page that somebody did ask for.
    if (!isIndex) remember()
    return sendTo(`/new${session.step.page}`)
  }
  const kept = cookies.get(redirectCookie)
  const wanted = localPath(kept, appRoot)
  if (kept) cookies.clear(redirectCookie)
  // After a step the person comes here; the page wanted before is still known.
  if (wanted && isIndex) {
    await reply.redirect(wanted)
    return undefined
  }
  if (/^\/new\/admin\/?$/.test(path)) return sendTo(homePath(user.AccessLevel))
  if (!mayOpen(user, path))
    return sendTo(
      isStaffAddress(path) && user.AccessLevel < Level.Faculty ? '/new/' : homePath(user.AccessLevel),
    )
  return { signedIn }
}
