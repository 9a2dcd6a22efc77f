import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { connectionFailures } from '#contract/connections/failures.ts'
import { mostRosterMembers, type Roster } from '#contract/connections/lti.ts'
import type { AlikePeople, NamedPerson } from '#contract/people/alike.ts'
import { hashToken, newToken } from '#server/core/auth/session.ts'
import type { Db } from '#server/core/database/pool.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { callOutside, OutsideError } from '#server/core/runtime/outside.ts'
import type { Services } from '#server/core/runtime/services.ts'
import {
  askAccess,
  explainLti,
  type LtiPlatform,
  LtiRefused,
  parseObject,
  rosterScope,
} from '../identity/lti.service.ts'
import { comeBack, endAccess } from '../people/leaving.service.ts'
import { giveLevels } from '../people/people.commands.ts'
import type { ScimConnection } from '../provisioning/connections.across.ts'
import { insertScimUser, keepRosters, updateScimUser } from '../provisioning/provisioning.commands.ts'
import { saveScimName } from '../provisioning/provisioning.queries.ts'
import { createPerson } from '../provisioning/scim-people.commands.ts'
import { noteApplied, saveRosterMembers } from './lti.commands.ts'
import { findRosterLevels, holdRoster } from './lti.queries.ts'
import {
  changesOf,
  type KnownPerson,
  lineOf,
  nextPageOf,
  planRoster,
  type RosterMember,
  type RosterStep,
  readMembers,
} from './roster.rules.ts'
import { listKnownPeople } from './rosters.across.ts'

const deadlineMs = 15_000
const maxPageBytes = 4 * 1024 * 1024
const mostPages = 100
const mediaType = 'application/vnd.ims.lti-nrps.v2.membershipcontainer+json'

/**
 * Reads the roster of a course, page by page. Further pages are taken from the same host alone: the access is for no other.
 *
 * @throws Failure 422 when the platform does not give it, or when it is too long
 */
export const fetchRoster = async (
  services: Services,
  platform: LtiPlatform,
  address: string,
): Promise<RosterMember[]> => {
  try {
    if (platform.token_url === '')
      throw new LtiRefused(
        'invalid',
        'The connection has no token address, without which no roster is given.',
      )
    const access = await askAccess(services, platform, rosterScope)
    const found: RosterMember[] = []
    let next: string | undefined = address
    for (let page = 0; next !== undefined; page++) {
      const answer = await callOutside(next, {
        headers: { accept: mediaType, authorization: `Bearer ${access}` },
        deadlineMs,
        maxBytes: maxPageBytes,
        allowed: services.config.webhookAllow,
      })
      const members = answer.status === 200 ? readMembers(parseObject(answer.body)) : undefined
      if (!members)
        throw new LtiRefused(
          'invalid',
          answer.status === 200
            ? 'The roster is not in the form of LTI.'
            : `The roster answered ${answer.status}.`,
        )
      found.push(...members)
      if (page >= mostPages || found.length > mostRosterMembers)
        throw new LtiRefused('invalid', `The course has more than ${mostRosterMembers} people.`)
      const told: string | undefined = nextPageOf(
        ([] as string[]).concat(answer.headers.link ?? []).join(', ') || undefined,
      )
      const following: URL | null = told === undefined ? null : URL.parse(told, next)
      if (following && following.host !== new URL(address).host)
        throw new LtiRefused('invalid', `The roster goes on at ${following.host}, which is another host.`)
      next = following?.href
    }
    return found
  } catch (error) {
    const { message } = error instanceof OutsideError ? error : explainLti(error)
    throw fail(connectionFailures.unreadable_roster, { Reason: message })
  }
}

interface Place {
  programId: number
  connectionId: number
  courseId: number
}

/**
 * What a roster would do in a program as it is at this moment.
 *
 * @throws Failure 404 where the program is not connected
 */
export const planFor = async (
  db: Db,
  place: Place,
  members: readonly RosterMember[],
  linksByEmail: boolean,
): Promise<{ steps: RosterStep[]; ceiling: number }> => {
  const levels = await findRosterLevels(db, place.connectionId, place.programId)
  if (!levels) throw fail(connectionFailures.no_connected_program)
  const { ceiling, role_levels: roleLevels } = levels
  const known: KnownPerson[] = await listKnownPeople(
    db,
    { ...place, ceiling },
    {
      subjects: members.map(({ subject }) => subject),
      emails: members.flatMap(({ email }) => (email === '' ? [] : [email.toLowerCase()])),
    },
  )
  return { steps: planRoster(members, known, { roleLevels, ceiling, linksByEmail }), ceiling }
}

/** The preview of a roster. */
export const shownRoster = (
  roster: { id: number; title: string; readAt: string },
  steps: readonly RosterStep[],
  people: AlikePeople<NamedPerson>,
): Roster => ({
  Id: roster.id,
  CourseTitle: roster.title,
  ReadDate: roster.readAt,
  Lines: steps.map((step) => lineOf(step, people)),
})

/** Names of platforms differ in capitals alone; user names of directories do not. */
const userNameOf = (subject: string): string =>
  `lti:${createHash('sha256').update(subject).digest('hex').slice(0, 40)}`

/** Does with one person what was planned; answers the account that is on the roster now. */
const apply = async (
  db: Db,
  connection: ScimConnection,
  { action, level, member, person }: RosterStep,
): Promise<number | undefined> => {
  const { program_id: programId } = connection
  if (action === 'add' && member && level !== null) {
    const fields = {
      userName: userNameOf(member.subject),
      externalId: member.subject,
      firstName: member.firstName,
      middleName: '',
      lastName: member.lastName,
      suffix: '',
      email: member.email,
      phone: '',
      number: '',
      isActive: true,
    }
    const { user } = await createPerson(db, { ...connection, default_level: level }, fields)
    return user.id
  }
  if (!person) return undefined
  if (action === 'link' && member) {
    const user = { accountId: person.id, userName: userNameOf(member.subject), externalId: member.subject }
    if (!(await insertScimUser(db, connection, user))) throw fail(connectionFailures.roster_grew)
    await saveScimName(db, connection, person.id, { told: member.subject, last: '' })
    if (!person.isActive) await comeBack(db, programId, person.id)
  }
  if (action === 'restore' || action === 'deactivate') {
    const isActive = action === 'restore'
    await updateScimUser(db, connection, person.id, { isDeleted: !isActive })
    if (!isActive) await endAccess(db, programId, person.id)
    else if (!person.isActive) await comeBack(db, programId, person.id)
  }
  return person.id
}

/**
 * Applies a roster that was read, as it was shown.
 *
 * @throws Failure 404 where it is unknown, too old or applied; 409 where something else would be done by now
 */
export const applyRosterOf = async (
  db: Db,
  platform: LtiPlatform,
  { programId, connectionId, rosterId }: { programId: number; connectionId: number; rosterId: number },
  { shownChanges, by }: { shownChanges: number; by: number },
): Promise<{ steps: RosterStep[] }> => {
  const roster = await holdRoster(db, { programId, connectionId, rosterId })
  if (!roster) throw fail(connectionFailures.no_roster)
  const place = { programId, connectionId, courseId: roster.course_id }
  const { steps, ceiling } = await planFor(db, place, roster.members, roster.adopts_by_email)
  if (changesOf(steps) !== shownChanges) throw fail(connectionFailures.people_changed)
  await keepRosters(db, place, { ceiling, level: ceiling, keyHash: hashToken(newToken()), by })
  const connection: ScimConnection = {
    program_id: programId,
    provider_id: connectionId,
    provider_name: platform.name,
    provider_kind: 'lti',
    max_level: ceiling,
    default_level: ceiling,
    adopts_by_email: false,
  }
  const come: number[] = []
  for (const step of steps.filter(({ action }) =>
    ['add', 'link', 'restore', 'deactivate'].includes(action),
  )) {
    const id = await apply(db, connection, step)
    if (id !== undefined && step.action !== 'deactivate') come.push(id)
  }
  const present = steps.flatMap(({ action, person }) =>
    person && ['keep', 'change'].includes(action) ? [person.id] : [],
  )
  const gone = steps.flatMap(({ action, person }) =>
    person && ['deactivate', 'leave'].includes(action) ? [person.id] : [],
  )
  const levels = steps.flatMap(({ action, person, level }) =>
    person && level !== null && level !== person.level && ['link', 'restore', 'change'].includes(action)
      ? [{ id: person.id, level }]
      : [],
  )
  if (levels.length > 0)
    await giveLevels(
      db,
      programId,
      sql`select * from jsonb_to_recordset(${JSON.stringify(levels)}::jsonb) as r (id bigint, level smallint)`,
    )
  await saveRosterMembers(db, place, { come: [...come, ...present], gone })
  await noteApplied(db, programId, rosterId)
  return { steps }
}
