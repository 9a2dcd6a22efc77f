/** By which rule evaluations make themselves: what the screen offers and the server accepts. */

export const makeOns = ['shift', 'rotation_end', 'fixed'] as const
export type MakeOn = (typeof makeOns)[number]
export const makeEaches = ['shift', 'rotation', 'site', 'student'] as const
export type MakeEach = (typeof makeEaches)[number]

export interface Roles {
  EvaluatorRole: string
  SubjectRole: string
}

/** Whether evaluator or subject is a student: then there is one evaluation for each student. */
export const isAboutStudents = ({ EvaluatorRole, SubjectRole }: Roles): boolean =>
  ['student', 'self'].includes(EvaluatorRole) || SubjectRole === 'student'

/** Whether a site decides who evaluates or what is evaluated. */
export const isAboutSites = ({ EvaluatorRole, SubjectRole }: Roles): boolean =>
  EvaluatorRole === 'supervisor' || ['site', 'supervisor'].includes(SubjectRole)

/** Whether people have to be named, because no schedule says who they are. */
export const needsPeople = ({ EvaluatorRole, SubjectRole }: Roles): boolean =>
  ['faculty', 'coordinator'].includes(EvaluatorRole) || SubjectRole === 'faculty'

/** Whether the people of a template follow from schedules at all; by hand everything may be assigned. */
export const isMadeByRule = ({ EvaluatorRole, SubjectRole }: Roles): boolean =>
  !['anonymous', 'peer'].includes(EvaluatorRole) &&
  SubjectRole !== 'peer' &&
  (EvaluatorRole !== SubjectRole || EvaluatorRole === 'self')

/** How often an evaluation may be made, the most usual first. */
export const eachChoices = (makeOn: MakeOn, roles: Roles): MakeEach[] => {
  if (makeOn === 'fixed') return isAboutSites(roles) ? ['site'] : ['student']
  if (!isAboutStudents(roles)) return isAboutSites(roles) ? ['site'] : ['rotation']
  return makeOn === 'shift' ? ['shift', 'rotation', 'site'] : ['rotation', 'site']
}

export interface AutomaticSettings extends Roles {
  IsAnonymous: boolean
  IsAutomatic: boolean
  AutomaticFrom: string | null
  MakeOn: MakeOn
  MakeEach: MakeEach
  MakeDate: string | null
  MakePersonIds: readonly number[]
}

export interface AutomaticProblem {
  field: 'IsAutomatic' | 'AutomaticFrom' | 'MakeDate' | 'MakeEach' | 'MakePersonIds'
  text: string
}

/** Why a template cannot make its evaluations, at the field to change; nothing while it is off. */
export const automaticProblem = (settings: AutomaticSettings): AutomaticProblem | null => {
  if (!settings.IsAutomatic) return null
  if (settings.IsAnonymous || !isMadeByRule(settings))
    return { field: 'IsAutomatic', text: 'is not possible: no one’s schedule tells who evaluates whom' }
  if (!settings.AutomaticFrom) return { field: 'AutomaticFrom', text: 'is required' }
  if (settings.MakeOn === 'fixed' && !settings.MakeDate) return { field: 'MakeDate', text: 'is required' }
  if (!eachChoices(settings.MakeOn, settings).includes(settings.MakeEach))
    return { field: 'MakeEach', text: 'does not fit who evaluates whom' }
  if (needsPeople(settings) && settings.MakePersonIds.length === 0)
    return { field: 'MakePersonIds', text: 'needs at least one person' }
  return null
}
