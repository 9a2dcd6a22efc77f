import type { Limits } from './instance.solver.ts'

/** A rule of the plan that a limit comes from. */
export interface LimitPart {
  rule: 'experience' | 'mostOfExperience' | 'mostPerSite' | 'fewestPerSite' | 'evenings'
  least?: Int16Array
  most?: Int16Array
}

/** Limits of students with a name that people know. */
export interface NamedLimits extends Limits {
  name: string
  parts: readonly LimitPart[]
}
