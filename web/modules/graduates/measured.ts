import { getEffectiveness } from '#contract/graduates/effectiveness.ts'
import { getGraduate, listGraduates } from '#contract/graduates/graduates.ts'

/** What a change of a graduate makes old. */
export const measured = { refresh: [listGraduates, getGraduate, getEffectiveness] }
