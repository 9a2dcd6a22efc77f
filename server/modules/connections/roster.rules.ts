import type { RosterAction, RosterLine, RosterReason } from '#contract/connections/lti.ts'
import { courseRoles, levelOfRoles, type RoleLevels } from '#contract/connections/lti-rules.ts'
import { fitsForm } from '#contract/core/writing.ts'
import type { AlikePeople, NamedPerson } from '#contract/people/alike.ts'
import { isNamed, personLimits } from '#contract/people/person-fields.ts'

/** A person of a roster, as the platform tells. */
export interface RosterMember {
  subject: string
  firstName: string
  lastName: string
  email: string
  roles: string[]
  isActive: boolean
}

/** An account that a roster could concern. */
export interface KnownPerson {
  id: number
  firstName: string
  lastName: string
  email: string
  level: number
  isActive: boolean
  /** Of the connection: not above its level, no test user. */
  isInReach: boolean
  /** By which name a roster keeps the account; null where none does. */
  keptAs: string | null
  /** A roster has ended it. */
  isEnded: boolean
  /** By which name the person signs in. */
  linkedAs: string | null
  /** Whether the roster of this course, or that of another one, has the person. */
  isOfCourse: boolean
  isOfOther: boolean
}

/** What is done with one person. */
export interface RosterStep {
  action: RosterAction
  reason: RosterReason | null
  level: number | null
  /** Undefined for who has left. */
  member: RosterMember | undefined
  /** The account; undefined for who is new or left out. */
  person: KnownPerson | undefined
}

/** What is too long to be kept is none: part of an address is somebody else's, and part of a name is not theirs. */
const text = (value: unknown, longest: number): string => {
  const tidy = typeof value === 'string' ? value.normalize('NFC').replace(/\s+/g, ' ').trim() : ''
  return tidy.length <= longest ? tidy : ''
}

const nameText = (value: unknown, longest: number): string => {
  const tidy = text(value, longest)
  return fitsForm('name', tidy) ? tidy : ''
}

/** First and last name: as given, or of the whole name, whose last word is the last name; one word is a last name. */
const namesOf = (member: Record<string, unknown>): { firstName: string; lastName: string } => {
  const [first, last] = [
    nameText(member.given_name, personLimits.FirstName),
    nameText(member.family_name, personLimits.LastName),
  ]
  if (first !== '' && last !== '') return { firstName: first, lastName: last }
  const words = nameText(member.name, 500).split(' ')
  if (words.length < 2) return { firstName: first, lastName: last || (first === '' ? words[0]! : '') }
  return {
    firstName: first || nameText(words.slice(0, -1).join(' '), personLimits.FirstName),
    lastName: last || nameText(words.at(-1), personLimits.LastName),
  }
}

const isAddress = (email: string): boolean => /^[^\s@]+@[^\s@]+$/.test(email)

/** Reads the people of one page of a roster. Undefined where it is none. */
export const readMembers = (page: unknown): RosterMember[] | undefined => {
  const members = (page as { members?: unknown } | null)?.members
  if (!Array.isArray(members)) return undefined
  return members.flatMap((entry: unknown): RosterMember[] => {
    if (typeof entry !== 'object' || entry === null) return []
    const member = entry as Record<string, unknown>
    const subject = member.user_id
    if (typeof subject !== 'string' || subject.trim() === '' || subject.length > 255) return []
    const email = text(member.email, 255)
    return [
      {
        subject,
        ...namesOf(member),
        email: isAddress(email) ? email : '',
        roles: (Array.isArray(member.roles) ? member.roles : [])
          .filter((role) => typeof role === 'string')
          .slice(0, 50),
        // Without a status a member is active.
        isActive: member.status === undefined || member.status === 'Active',
      },
    ]
  })
}

/** The address of the next page, of the `Link` header. */
export const nextPageOf = (header: string | undefined): string | undefined =>
  (header ?? '')
    .split(/,(?=\s*<)/)
    .flatMap((link) => {
      const [, address, rest = ''] = /^\s*<([^>]*)>(.*)$/.exec(link) ?? []
      return address !== undefined && /;\s*rel\s*=\s*"?(?:[^"]*\s)?next(?:\s[^"]*)?"?\s*(?:;|$)/i.test(rest)
        ? [address]
        : []
    })
    .at(0)

/**
 * What applying a roster does, person by person in the roster's order, then those who have left it. People are known by their name at
 * the platform alone; by an address only where `linksByEmail` says so, and then only where one account alone has it.
 */
export const planRoster = (
  members: readonly RosterMember[],
  known: readonly KnownPerson[],
  { roleLevels, ceiling, linksByEmail }: { roleLevels: RoleLevels; ceiling: number; linksByEmail: boolean },
): RosterStep[] => {
  const keptBy = new Map(known.flatMap((person) => (person.keptAs === null ? [] : [[person.keptAs, person]])))
  const linkedBy = new Map(
    known.toReversed().flatMap((person) => (person.linkedAs === null ? [] : [[person.linkedAs, person]])),
  )
  const ofAddress = Map.groupBy(known, ({ email }) => email.toLowerCase())
  const told = Map.groupBy(
    members.filter(({ isActive, email }) => isActive && email !== ''),
    ({ email }) => email.toLowerCase(),
  )
  const seen = new Set<string>()
  const taken = new Set<number>()

  const stepOf = (member: RosterMember): RosterStep => {
    const skip = (reason: RosterReason, person?: KnownPerson): RosterStep => ({
      action: 'skip',
      reason,
      level: null,
      member,
      person,
    })
    const take = (action: RosterAction, level: number, person?: KnownPerson): RosterStep => {
      if (person) taken.add(person.id)
      return { action, reason: null, level, member, person }
    }
    if (seen.has(member.subject)) return skip('twice')
    seen.add(member.subject)
    const level = levelOfRoles(member.roles, roleLevels, ceiling)
    const kept = keptBy.get(member.subject)
    if (level === undefined) return skip('no_role', kept)
    if (kept) {
      if (taken.has(kept.id)) return skip('twice', kept)
      if (!kept.isInReach) return skip('above_level', kept)
      if (kept.isEnded || !kept.isActive) return take('restore', level, kept)
      return take(kept.level === level ? 'keep' : 'change', level, kept)
    }
    const linked = linkedBy.get(member.subject)
    if (linked) {
      if (taken.has(linked.id)) return skip('twice', linked)
      return linked.isInReach ? take('link', level, linked) : skip('above_level', linked)
    }
    const same = member.email === '' ? [] : (ofAddress.get(member.email.toLowerCase()) ?? [])
    const [only, second] = same
    if (only) {
      const isFree = only.keptAs === null && only.linkedAs === null && only.isInReach && !taken.has(only.id)
      return linksByEmail && isFree && !second ? take('link', level, only) : skip('same_email', only)
    }
    if ((told.get(member.email.toLowerCase())?.length ?? 0) > 1) return skip('same_email')
    if (!isNamed(member.firstName, member.lastName)) return skip('no_name')
    return take('add', level)
  }

  const steps = members.filter(({ isActive }) => isActive).map(stepOf)
  // Who is still told, with whatever role, has not left the course.
  const present = new Set(members.filter(({ isActive }) => isActive).map(({ subject }) => subject))
  const left = known.filter(
    ({ id, isOfCourse, keptAs }) => isOfCourse && !taken.has(id) && !present.has(keptAs ?? ''),
  )
  return [
    ...steps,
    ...left.map((person): RosterStep => {
      const isLast = !person.isOfOther && person.isActive && person.isInReach
      return { action: isLast ? 'deactivate' : 'leave', reason: null, level: null, member: undefined, person }
    }),
  ]
}

/** A step as its line in the preview. */
export const lineOf = (
  { action, reason, level, member, person }: RosterStep,
  people: AlikePeople<NamedPerson>,
): RosterLine => {
  const { firstName, lastName, email } = member ?? person ?? { firstName: '', lastName: '', email: '' }
  const alike = action === 'add' ? people.find({ FirstName: firstName, LastName: lastName }) : undefined
  return {
    Subject: member?.subject ?? person?.keptAs ?? '',
    Name: `${firstName} ${lastName}`.trim(),
    Email: email,
    Roles: courseRoles(member?.roles ?? []),
    Level: level,
    Action: action,
    Reason: reason,
    Alike: alike ? `${alike.FirstName} ${alike.LastName}`.trim() : '',
  }
}

/** How many steps change something. */
export const changesOf = (steps: readonly RosterStep[]): number =>
  steps.filter(({ action }) => !['keep', 'skip'].includes(action)).length
