import { Level } from '#contract/core/levels.ts'

/** What a link in a course may open, by the name that the link carries. */
export const ltiPages = ['schedule', 'clock', 'evaluations'] as const
export type LtiPage = (typeof ltiPages)[number]

export const isLtiPage = (name: unknown): name is LtiPage => ltiPages.some((page) => page === name)

/** Where a link in a course leads somebody of a level: staff look after what students do there. Undefined: to the home page. */
export const pageOfLtiLink = (page: LtiPage, level: number): string | undefined => {
  if (level >= Level.Faculty)
    return {
      schedule: '/new/admin/shift-assignments',
      clock: '/new/admin/approve-time-records',
      evaluations: '/new/admin/evaluations/status',
    }[page]
  if (level >= Level.Supervisor)
    return { schedule: undefined, clock: '/new/approve', evaluations: '/new/evaluate' }[page]
  if (level !== Level.Student) return undefined
  return { schedule: '/new/schedule', clock: '/new/clock', evaluations: '/new/evaluate' }[page]
}

/** The roles of people in a course that can give a level, as LTI names them. */
export const ltiRoles = [
  'Learner',
  'Instructor',
  'TeachingAssistant',
  'ContentDeveloper',
  'Mentor',
  'Administrator',
] as const
export type LtiRole = (typeof ltiRoles)[number]

const membership = 'http://purl.imsglobal.org/vocab/lis/v2/membership'

/**
 * The roles of a course among those that a platform tells: in full, as sub-roles, or as the bare names that LTI also takes. A teaching
 * assistant is told as a sub-role of the instructor and is no instructor. Roles of the whole institution or system count for nothing:
 * who administers a platform teaches nobody here.
 */
export const courseRoles = (told: readonly string[]): LtiRole[] => {
  const found = told.flatMap((role): LtiRole[] => {
    const sub = /^http:\/\/purl\.imsglobal\.org\/vocab\/lis\/v2\/membership\/(\w+)#(\w+)$/.exec(role)
    if (sub?.[1] === 'Instructor' && sub[2]?.startsWith('TeachingAssistant')) return ['TeachingAssistant']
    const name = sub ? sub[1] : role.startsWith(`${membership}#`) ? role.slice(membership.length + 1) : role
    return ltiRoles.filter((known) => known === name)
  })
  const isAssistant = found.includes('TeachingAssistant')
  // Platforms send the principal role beside its sub-role.
  return [...new Set(found)].filter((role) => !(isAssistant && role === 'Instructor'))
}

/** Levels by role; a role that is not in it gives none. */
export type RoleLevels = Partial<Record<LtiRole, number>>

/** What new connections begin with. */
export const usualRoleLevels: RoleLevels = { Learner: Level.Student, Instructor: Level.Faculty }

/** The level that roles give: the highest of those that have one, at most the ceiling. Undefined: none of them gives any. */
export const levelOfRoles = (
  told: readonly string[],
  levels: RoleLevels,
  ceiling: number,
): number | undefined => {
  const given = courseRoles(told).flatMap((role) => levels[role] ?? [])
  return given.length === 0 ? undefined : Math.min(Math.max(...given), ceiling)
}
