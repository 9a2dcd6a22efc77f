import { findLevelFault, type RotationFacts } from '#contract/scheduling/scheduling-rules.ts'
import type { Plan, PlannedStudent, PlanRotation } from './plan.rules.ts'

/** Whether a rotation is for the sites of an area; a plan's only rotation is for all. */
const isForArea = ({ Rotations }: Plan, { AreaIds }: PlanRotation, areaId: number | null): boolean =>
  Rotations.length === 1 || AreaIds.length === 0 || (areaId !== null && AreaIds.includes(areaId))

const isDuring = ({ StartDate, EndDate }: RotationFacts, first: string, last: string): boolean =>
  first >= StartDate && last <= EndDate

/** Why none of the rotations is for a place, regardless of the student; undefined if one is. */
export const findPlaceFault = (
  plan: Plan,
  areaId: number | null,
  first: string,
  last: string,
): { kind: 'rotationArea' | 'rotationDates'; text: string } | undefined => {
  const { Rotations, Options } = plan
  const forArea = Rotations.filter((rotation) => isForArea(plan, rotation, areaId))
  if (forArea.length === 0) return { kind: 'rotationArea', text: 'is in no area of the plan’s rotations' }
  if (Options.RotationDatesRule === 'off' || forArea.some((rotation) => isDuring(rotation, first, last)))
    return undefined
  const [only] = forArea
  return {
    kind: 'rotationDates',
    text:
      forArea.length === 1 && only
        ? `lies outside ${only.Name}`
        : 'lies outside the rotations that it is for',
  }
}

/** The rotations that a place on these days is for, by position in the plan; all of its area unless their dates bar. */
export const rotationsAt = (plan: Plan, areaId: number | null, first: string, last: string): number[] => {
  const forArea = plan.Rotations.flatMap((rotation, r) => (isForArea(plan, rotation, areaId) ? [r] : []))
  const during = forArea.filter((r) => {
    const rotation = plan.Rotations[r]
    return rotation !== undefined && isDuring(rotation, first, last)
  })
  return during.length > 0 || plan.Options.RotationDatesRule === 'block' ? during : forArea
}

/** The first of these rotations that takes a student; if none does, the very first unless levels bar, else -1. */
export const rotationOf = (
  { Rotations, Options }: Plan,
  student: PlannedStudent,
  among: readonly number[],
): number => {
  const taking = among.find((r) => {
    const rotation = Rotations[r]
    return rotation !== undefined && !findLevelFault(rotation, student)
  })
  return taking ?? (Options.RotationLevelRule === 'block' ? -1 : (among[0] ?? -1))
}
