import type { FastifyRequest } from 'fastify'
import { type AnyEndpoint, keyRightOf } from '#contract/core/endpoint.ts'
import { coreFailures } from '#contract/core/failures.ts'
import { may } from '#contract/core/permissions.ts'
import { sentence } from '#contract/language/texts.ts'
import type { Session, SignedIn, User } from '#server/core/auth/session.ts'
import { fail } from '#server/core/runtime/failure.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { isChange } from './handle.ts'

/** The origins that this installation answers to: its public address; on loopback also under the other local name. */
const isOwnOrigin = (origin: string, services: Services, request: FastifyRequest): boolean => {
  if (services.config.appUrl) return origin === services.config.appUrl
  const port = request.socket.localPort
  const own = ['localhost', '127.0.0.1', services.config.host].map((host) => `http://${host}:${port}`)
  return own.includes(origin)
}

/**
 * A change comes from a page of ours, and with the session's token where there is a session.
 *
 * @throws Failure 403 `foreign_origin` or `csrf`
 */
export const refuseForgery = (
  request: FastifyRequest,
  services: Services,
  session: Session | undefined,
): void => {
  const { origin } = request.headers
  if (origin && !isOwnOrigin(origin, services, request)) {
    throw fail(coreFailures.foreign_origin)
  }
  if (session?.isAntiForgeryEnabled && request.headers['x-csrf-token'] !== session.csrfToken) {
    throw fail(coreFailures.csrf)
  }
}

/**
 * The program the call works on: named in the path, or the one the session has chosen. A foreign program is not there.
 */
const programOf = (params: Record<string, unknown>, user: User, session: Session): number | null => {
  const named = params.programId
  if (named === undefined) return session.programId
  const id = Number(named)
  if (!Number.isSafeInteger(id) || id < 1) throw fail(coreFailures.no_program)
  if (!user.isSuperAdmin && user.ProgramId !== id) throw fail(coreFailures.no_program)
  return id
}

/** Whoever views as somebody else changes nothing, and a step that waits comes before anything else. */
const refuseViewer = ({ user, session }: SignedIn): void => {
  if (!session.viewer) return
  throw fail(coreFailures.viewing, { Name: user.Name })
}
const refuseDuringStep = ({ session: { step } }: SignedIn, services: Services, changes: boolean): void => {
  if (!step) return
  throw fail(
    coreFailures.step,
    { Step: sentence(step.message), Changes: changes },
    { extra: { RedirectTo: `${services.config.appRoot}/new${step.page}` } },
  )
}

/**
 * What would turn an open session into a lasting takeover, or everybody's data into a file, needs a proof of the last minutes. For
 * what lasts longer than the session the sign-in is none: the call carries what its page was given for a proof.
 *
 * @throws Failure 403 `proof_required`
 */
export const requireProof = (
  { isProven, carriesProof }: Pick<Session, 'isProven' | 'carriesProof'>,
  { changes = true, lasts = false }: { changes?: boolean; lasts?: boolean | undefined } = {},
): void => {
  if (isProven && (carriesProof || !lasts)) return
  throw fail(coreFailures.proof_required, { Changes: changes })
}

/**
 * What a device kept while it was off line names the account that it belongs to. Somebody else may have signed in since.
 *
 * @throws Failure 403 `other_account`
 */
const refuseOtherAccount = ({ headers }: FastifyRequest, { user }: SignedIn): void => {
  const account = headers['x-account']
  if (account === undefined || account === String(user.Id)) return
  throw fail(coreFailures.other_account)
}

/**
 * Decides whether a key opens a call, before its body is read. Pages cannot send a key without saying so, so there is no forgery.
 *
 * @throws Failure 403 where keys open nothing, or this one has not the right
 */
export const guardKey = (
  endpoint: AnyEndpoint,
  { user, session }: SignedIn,
  params: unknown,
): number | null => {
  const right = keyRightOf(endpoint)
  if (right === undefined) throw fail(coreFailures.not_for_keys)
  if (right !== 'any' && !may(user, right))
    throw fail(coreFailures.key_right, { Name: user.key?.Name ?? '', Right: right })
  return programOf(params as Record<string, unknown>, user, session)
}

/**
 * Decides whether an inbox link opens a call: only those that are declared for it, with the present rights of the account. The header
 * that names the link cannot be sent by a page of another site.
 *
 * @throws Failure 403 where the link opens nothing, or the account has not the permission; 404 for another program
 */
export const guardInbox = (
  endpoint: AnyEndpoint,
  request: FastifyRequest,
  services: Services,
  { user, session }: SignedIn,
): number | null => {
  if (!endpoint.byInbox) throw fail(coreFailures.not_by_link)
  if (isChange(endpoint)) refuseForgery(request, services, undefined)
  const { may: who } = endpoint
  if (who !== 'everyone' && who !== 'signed-in' && !may(user, who)) throw fail(coreFailures.no_longer_allowed)
  return programOf(request.params as Record<string, unknown>, user, session)
}

/**
 * Decides whether a call is let through, before anything of it is read: signed in, no forgery, nobody who only looks, no
 * step that waits, the permission, and the program.
 *
 * @returns the program that the call works on; null for none and for calls that are open to everyone
 * @throws Failure 401, 403, or 404 for a program that is not the caller's
 */
export const guard = (
  endpoint: AnyEndpoint,
  request: FastifyRequest,
  services: Services,
  signedIn: SignedIn | undefined,
): number | null => {
  const changes = isChange(endpoint)
  const { may: who } = endpoint
  const isOpen = who === 'everyone'
  if (!signedIn && !isOpen) {
    throw fail(coreFailures.signed_out, { Changes: changes })
  }
  if (changes) refuseForgery(request, services, isOpen ? undefined : signedIn?.session)
  if (!signedIn) return null
  refuseOtherAccount(request, signedIn)
  if (changes && !endpoint.whileViewing) refuseViewer(signedIn)
  if (isOpen) return null
  if (!endpoint.duringStep) refuseDuringStep(signedIn, services, changes)
  if (who !== 'signed-in' && !may(signedIn.user, who)) {
    throw fail(coreFailures.not_allowed)
  }
  const programId = programOf(request.params as Record<string, unknown>, signedIn.user, signedIn.session)
  if (endpoint.proof) requireProof(signedIn.session, { changes, lasts: endpoint.lasts })
  return programId
}
