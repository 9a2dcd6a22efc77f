import { sql } from 'kysely'
import * as identity from '#contract/identity/identity.ts'
import { sessionFailures } from '#contract/session/failures.ts'
import { sessionCookie } from '#server/core/auth/cookies.ts'
import { endSession } from '#server/core/auth/session.ts'
import { endSessionOf } from '#server/core/auth/session-changes.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { findCollegeSession } from '../identity/college.queries.ts'
import { leavingCookie, sealLeaving } from '../identity/college-leaving.service.ts'
import { stateUser } from './state.queries.ts'

export const sessionRoutes = [
  handle(identity.getSession, async ({ db, user, session, services }) => ({
    User: await stateUser(db, user),
    ExpiresAt: session.expiresAt,
    CsrfToken: session.csrfToken,
    Step: session.step?.name ?? null,
    SignOutAddress: (await findCollegeSession(db, session.id))
      ? `${services.config.appRoot}/new/saml/leave`
      : '',
  })),

  handle(identity.logout, async ({ db, session, services, cookies }) => {
    const name = sessionCookie(services)
    const left = await findCollegeSession(db, session.id)
    if (left) {
      const { name: leaving, maxAgeSeconds } = leavingCookie(services)
      cookies.set(leaving, sealLeaving(services, left), { maxAgeSeconds })
    }
    await endSession(services.pool, cookies.get(name) ?? '')
    cookies.clear(name)
  }),

  handle(identity.listSessions, async ({ db, user, session }) => {
    const rows = await db
      .selectFrom('session')
      .select(['id as Id', 'created_at as CreatedAt', 'last_seen_at as LastSeenAt', 'agent as Agent'])
      .select(sql<string | null>`host(address)`.as('Address'))
      .where('account_id', '=', user.Id)
      .where('ended_at', 'is', null)
      .where('expires_at', '>', sql<string>`now()`)
      .orderBy('last_seen_at', 'desc')
      .limit(100)
      .execute()
    return rows.map((row) => ({ ...row, IsCurrent: row.Id === session.id }))
  }),

  handle(identity.endOwnSession, async ({ db, user, params }) => {
    if (!(await endSessionOf(db, user.Id, params.sessionId))) throw fail(sessionFailures.no_session)
  }),
]
