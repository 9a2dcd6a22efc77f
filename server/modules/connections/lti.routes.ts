import type { Connection } from '#contract/connections/connections.ts'
import { connectionFailures } from '#contract/connections/failures.ts'
import * as contract from '#contract/connections/lti.ts'
import { hashToken, newToken } from '#server/core/auth/session.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { saveDeepLinkAnswer } from '../identity/lti.commands.ts'
import { findPlatform } from '../identity/lti.queries.ts'
import { type LtiPlatform, signDeepLinks } from '../identity/lti.service.ts'
import { insertRegistration } from '../identity/lti-registration.commands.ts'
import { readAlikePeople } from '../people/alike.queries.ts'
import { refuseMissingProgram } from '../saml/programs.service.ts'
import { addProvider, changeProvider, linkProgram } from '../saml/providers.commands.ts'
import { lockProvider } from '../saml/providers.queries.ts'
import { getConnection, refuseAddress, refuseTaken } from './connections.service.ts'
import { insertRoster } from './lti.commands.ts'
import { findCourse, findDeepLink, listCourses } from './lti.queries.ts'
import type { RosterStep } from './roster.rules.ts'
import { applyRosterOf, fetchRoster, planFor, shownRoster } from './roster.service.ts'

const getPlatform = async (db: Db, connectionId: number): Promise<LtiPlatform> => {
  const platform = await findPlatform(db, connectionId)
  if (!platform) throw fail(connectionFailures.no_connection)
  return platform
}

interface Settings {
  Name: string
  ClientId: string
  AuthUrl: string
  KeysUrl: string
  TokenUrl: string
  TokenAudience: string
  Deployments: string[]
  RoleLevels: { Role: string; Level: number }[]
}

const rowOf = (body: Settings) => ({
  name: body.Name,
  client_id: body.ClientId,
  auth_url: body.AuthUrl,
  keys_url: body.KeysUrl,
  token_url: body.TokenUrl,
  token_audience: body.TokenAudience,
  deployments: [...new Set(body.Deployments)],
  role_levels: JSON.stringify(Object.fromEntries(body.RoleLevels.map(({ Role, Level }) => [Role, Level]))),
})

const refuseAddresses = ({ config }: Services, { KeysUrl, TokenUrl }: Settings): void => {
  refuseAddress('KeysUrl', KeysUrl, config.webhookAllow)
  if (TokenUrl) refuseAddress('TokenUrl', TokenUrl, config.webhookAllow)
}

const settingRoutes = [
  handle(contract.createLtiConnection, async ({ db, body, user, services, audit }) => {
    refuseAddresses(services, body)
    await refuseTaken(db, body, 0)
    await refuseMissingProgram(db, body.ProgramId)
    const id = await addProvider(db, {
      ...rowOf(body),
      kind: 'lti',
      entity_id: body.Issuer,
      created_by: user.Id,
    })
    await linkProgram(db, id, { programId: body.ProgramId, accessLevel: body.AccessLevel, by: user.Id })
    audit.programId = body.ProgramId
    audit.detail = body
    return getConnection(db, id)
  }),

  handle(contract.updateLtiConnection, async ({ db, params: { connectionId }, body, services, audit }) => {
    await lockProvider(db, connectionId)
    const before = await getConnection(db, connectionId, 'lti')
    if (before.Stage === 'awaits_lms') throw notRegistered(before)
    refuseAddresses(services, body)
    await refuseTaken(db, { ...body, Issuer: before.Issuer }, connectionId)
    await changeProvider(db, connectionId, rowOf(body))
    const after = await getConnection(db, connectionId)
    audit.detail = { Before: before, After: after }
    return after
  }),
]

const notRegistered = ({ Name }: Connection) => fail(connectionFailures.not_registered, { Name })

/** A new registration address of a connection, in the place of its last one. */
const makeAddress = async (
  db: Db,
  services: Services,
  { connectionId, by }: { connectionId: number; by: number },
): Promise<contract.LtiRegistration> => {
  const token = newToken()
  const ExpireDate = await insertRegistration(db, {
    providerId: connectionId,
    tokenHash: hashToken(token),
    days: contract.registrationDays,
    by,
  })
  const { appRoot } = services.config
  return {
    ConnectionId: connectionId,
    Address: `${services.publicUrl()}${appRoot}/new/lti/register/${token}`,
    ExpireDate,
  }
}

const registrationRoutes = [
  handle(contract.createLtiRegistration, async ({ db, body, user, services, audit }) => {
    await refuseTaken(db, { Name: body.Name, Issuer: '', ClientId: '' }, 0)
    await refuseMissingProgram(db, body.ProgramId)
    const id = await addProvider(db, {
      kind: 'lti',
      stage: 'awaits_lms',
      name: body.Name,
      entity_id: '',
      created_by: user.Id,
    })
    await linkProgram(db, id, { programId: body.ProgramId, accessLevel: body.AccessLevel, by: user.Id })
    audit.programId = body.ProgramId
    audit.detail = body
    return makeAddress(db, services, { connectionId: id, by: user.Id })
  }),

  handle(contract.renewLtiRegistration, async ({ db, params: { connectionId }, user, services, audit }) => {
    await lockProvider(db, connectionId)
    const { Name, Stage } = await getConnection(db, connectionId, 'lti')
    if (Stage !== 'awaits_lms') throw fail(connectionFailures.registered, { Name })
    audit.detail = { Name }
    return makeAddress(db, services, { connectionId, by: user.Id })
  }),

  handle(contract.approveLtiConnection, async ({ db, params: { connectionId }, audit }) => {
    await lockProvider(db, connectionId)
    const before = await getConnection(db, connectionId, 'lti')
    if (before.Stage === 'awaits_lms') throw notRegistered(before)
    if (before.Stage === 'on') throw fail(connectionFailures.on_already, { Name: before.Name })
    await changeProvider(db, connectionId, { stage: 'on' })
    const { Name, Issuer, ClientId } = before
    audit.detail = { Name, Issuer, ClientId }
    return getConnection(db, connectionId)
  }),
]

const countOf = (steps: readonly RosterStep[], wanted: RosterStep['action']): number =>
  steps.filter(({ action }) => action === wanted).length

const rosterRoutes = [
  handle(contract.listLtiCourses, async ({ db, params: { connectionId } }) => {
    await getConnection(db, connectionId, 'lti')
    return listCourses(db, connectionId)
  }),

  handle(contract.readRoster, async ({ db, params, body, user, services, audit }) => {
    const { connectionId, programId } = params
    const platform = await getPlatform(db, connectionId)
    const course = await findCourse(db, connectionId, body.CourseId)
    if (!course) throw fail(connectionFailures.no_course)
    const place = { programId, connectionId, courseId: course.id }
    // Whether the program is connected is asked before anybody is called.
    await planFor(db, place, [], false)
    const members = await fetchRoster(services, platform, course.memberships_url)
    const { steps } = await planFor(db, place, members, body.LinksByEmail)
    const adoptsByEmail = body.LinksByEmail
    const made = await insertRoster(db, { ...place, members, adoptsByEmail, by: user.Id })
    audit.detail = { Connection: platform.name, Course: course.title, People: members.length }
    return shownRoster(
      { id: made.id, title: course.title, readAt: made.read_at },
      steps,
      await readAlikePeople(db, programId),
    )
  }),

  handle(contract.applyRoster, async ({ db, params, body, user, audit }) => {
    await lockProvider(db, params.connectionId)
    const platform = await getPlatform(db, params.connectionId)
    const { steps } = await applyRosterOf(db, platform, params, { shownChanges: body.Changes, by: user.Id })
    audit.detail = {
      Connection: platform.name,
      Applied: steps
        .filter(({ action }) => !['keep', 'skip'].includes(action))
        .map(({ action, member, person, level }) => ({
          Action: action,
          Subject: member?.subject ?? person?.keptAs,
          UserId: person?.id,
          Level: level,
        })),
    }
    return {
      Added: countOf(steps, 'add'),
      Linked: countOf(steps, 'link'),
      Restored: countOf(steps, 'restore'),
      Changed: countOf(steps, 'change'),
      Deactivated: countOf(steps, 'deactivate'),
    }
  }),
]

const linkRoutes = [
  handle(contract.getDeepLink, async ({ db, params, user }) => {
    const found = await findDeepLink(db, { tokenHash: hashToken(params.guid), accountId: user.Id })
    if (!found) throw fail(connectionFailures.no_request_for_links)
    const platform = await getPlatform(db, found.provider_id)
    return {
      Platform: platform.name,
      AcceptsMultiple: found.accepts_multiple,
      IsAnswered: found.is_answered,
    }
  }),

  handle(contract.answerDeepLink, async ({ db, params, body, user, services, audit }) => {
    const key = { tokenHash: hashToken(params.guid), accountId: user.Id }
    const found = await findDeepLink(db, { ...key, isHeld: true })
    if (!found) throw fail(connectionFailures.no_request_for_links)
    if (found.is_answered) throw fail(connectionFailures.answered_before)
    const pages = [...new Set(body.Pages)]
    if (pages.length > 1 && !found.accepts_multiple) throw fail(connectionFailures.one_only, 'Pages')
    const platform = await getPlatform(db, found.provider_id)
    const request = { deploymentId: found.deployment_id, data: found.data }
    await saveDeepLinkAnswer(db, found.id, await signDeepLinks(services, platform, request, pages))
    audit.detail = { Connection: platform.name, Pages: pages }
    // The frame where it began brings the answer back; without one this window does.
    return { Address: found.is_framed ? null : `${services.config.appRoot}/new/lti/return?id=${params.guid}` }
  }),
]

export const ltiRoutes = [...settingRoutes, ...registrationRoutes, ...rosterRoutes, ...linkRoutes]
