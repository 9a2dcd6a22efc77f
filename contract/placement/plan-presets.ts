import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { InProgram } from '#contract/core/fields.ts'
import type { Group, RanksPer, Template } from './plans.ts'
import { usualWeights, type Weights } from './weights.ts'

/** What a new plan begins with, by what a discipline usually asks; everything of it can be changed. */
export const presets = ['wheel', 'nursing', 'sonography'] as const
export type Preset = (typeof presets)[number]

export interface PresetSettings {
  Template: Template
  WeeksPerBlock: number
  ShiftsPerWeek: number
  Weekdays: Group['Weekdays']
  MostBlocksPerSite: number | null
  MostEveningPercent: number | null
  RanksPer: RanksPer
  MostRanks: number
  Weights: Weights
}

const workdays = [1, 2, 3, 4, 5]

/**
 * Settings of each: the wheel of imaging programs, where all get the same of everything; nursing, where a student stays on one unit for
 * half a term and ranks once; sonography, where few sites have one sonographer a shift and students rank each block.
 */
export const presetSettings: Readonly<Record<Preset, PresetSettings>> = {
  wheel: {
    Template: 'wheel',
    WeeksPerBlock: 2,
    ShiftsPerWeek: 2,
    Weekdays: workdays,
    MostBlocksPerSite: null,
    MostEveningPercent: 25,
    RanksPer: 'plan',
    MostRanks: 5,
    Weights: usualWeights,
  },
  nursing: {
    Template: 'ranked',
    WeeksPerBlock: 7,
    ShiftsPerWeek: 1,
    Weekdays: [0, 1, 2, 3, 4, 5, 6],
    MostBlocksPerSite: 1,
    MostEveningPercent: null,
    RanksPer: 'plan',
    MostRanks: 5,
    Weights: { ...usualWeights, Distance: 40, Load: 20 },
  },
  sonography: {
    Template: 'ranked',
    WeeksPerBlock: 5,
    ShiftsPerWeek: 3,
    Weekdays: workdays,
    MostBlocksPerSite: 2,
    MostEveningPercent: 25,
    RanksPer: 'block',
    MostRanks: 5,
    Weights: { ...usualWeights, Fairness: 70, Needs: 40 },
  },
}

/** The preset of a discipline by its name: 'Diagnostic Medical Sonography'. Imaging, and what is not known, begins with the wheel. */
export const presetOf = (discipline: string | null): Preset => {
  const name = (discipline ?? '').toLowerCase()
  if (name.includes('nursing')) return 'nursing'
  return /sonograph|ultrasound|echocardiograph|vascular/.test(name) ? 'sonography' : 'wheel'
}

export const suggestPlanPreset = endpoint({
  method: 'GET',
  path: '/programs/:programId/placement-preset',
  may: 'placement.plan',
  summary: 'What a new placement plan begins with, by the discipline of the program',
  params: InProgram,
  answer: z.object({
    /** Null when the program has none. */
    Discipline: z.string().nullable(),
    Preset: z.enum(presets),
  }),
})
