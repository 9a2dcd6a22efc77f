import { z } from 'zod'
import { RequiredLine } from '#contract/core/fields.ts'

/** How strictly a rule of placement is held. */
export const Strictness = z.enum(['off', 'warn', 'block'])
export type Strictness = z.infer<typeof Strictness>

/** Who approves swaps and covers; `off`: students have none. */
export const swapApprovals = ['off', 'staff', 'site', 'none'] as const
export type SwapApproval = (typeof swapApprovals)[number]

/** Least and most of the options that are numbers. */
export const optionLimits = {
  SessionIdleMinutes: { min: 5, max: 480 },
  ServerTimeoutWarningMinutes: { min: 0, max: 60 },
  MostHoursPerDay: { min: 1, max: 24 },
  MostHoursPerWeek: { min: 1, max: 168 },
  PunchToleranceMinutes: { min: 0, max: 240 },
  PositionDecimals: { min: 0, max: 6 },
  PositionRetentionDays: { min: 1, max: 3650 },
  ProofRetentionDays: { min: 0, max: 3650 },
  PreAdverseDays: { min: 0, max: 60 },
  DropHours: { min: 0, max: 720 },
  DoseLimit: { min: 1, max: 5_000 },
} as const

/** What holds for a program that has chosen nothing yet. */
export const optionDefaults = {
  DisableScheduleAssignmentsForFaculty: false,
  VisualizeFirst: false,
  EmployeeRegistryNumberEnabled: false,
  EmployeeRegistryNumberName: 'Registry number',
  HideDMSFields: false,
  SessionIdleMinutes: 60,
  ServerTimeoutWarningMinutes: 0,
  HoursPerDayRule: 'warn',
  MostHoursPerDay: 12,
  HoursPerWeekRule: 'block',
  MostHoursPerWeek: 40,
  DayOffRule: 'block',
  ComplianceRule: 'block',
  AgreementRule: 'warn',
  ProgramDatesRule: 'block',
  ShiftDaysRule: 'block',
  RotationDatesRule: 'block',
  RotationLevelRule: 'block',
  PunchToleranceMinutes: 15,
  PositionDecimals: 4,
  PositionRetentionDays: 180,
  ProofRetentionDays: 0,
  PreAdverseDays: 7,
  DoseLimit: 125,
  AbsencesAreMadeUp: true,
  DropHours: 48,
  SwapApproval: 'staff',
  DayLongShifts: false,
} as const

type Named<Value> = {
  [Name in keyof typeof optionDefaults]: (typeof optionDefaults)[Name] extends Value ? Name : never
}[keyof typeof optionDefaults]

const flag = (name: Named<boolean>) => z.boolean().default(optionDefaults[name])
const rule = (name: Named<Strictness>) => Strictness.default(optionDefaults[name])
const within = (name: keyof typeof optionLimits, kind: z.ZodNumber) =>
  kind.min(optionLimits[name].min).max(optionLimits[name].max).default(optionDefaults[name])
const number = (name: keyof typeof optionLimits) => within(name, z.number())
const whole = (name: keyof typeof optionLimits) => within(name, z.number().int())

/**
 * The options of a program with their defaults. The names of the first five are the specification's; the others are those that
 * scheduling, time and sign-in ask for.
 */
export const ProgramOptions = z.strictObject({
  DisableScheduleAssignmentsForFaculty: flag('DisableScheduleAssignmentsForFaculty'),
  VisualizeFirst: flag('VisualizeFirst'),
  EmployeeRegistryNumberEnabled: flag('EmployeeRegistryNumberEnabled'),
  EmployeeRegistryNumberName: RequiredLine(50).default(optionDefaults.EmployeeRegistryNumberName),
  HideDMSFields: flag('HideDMSFields'),

  SessionIdleMinutes: whole('SessionIdleMinutes'),
  ServerTimeoutWarningMinutes: whole('ServerTimeoutWarningMinutes'),

  HoursPerDayRule: rule('HoursPerDayRule'),
  MostHoursPerDay: number('MostHoursPerDay'),
  HoursPerWeekRule: rule('HoursPerWeekRule'),
  MostHoursPerWeek: number('MostHoursPerWeek'),
  DayOffRule: rule('DayOffRule'),
  ComplianceRule: rule('ComplianceRule'),
  AgreementRule: rule('AgreementRule'),
  ProgramDatesRule: rule('ProgramDatesRule'),
  /** The shift's own active dates and weekdays. */
  ShiftDaysRule: rule('ShiftDaysRule'),
  RotationDatesRule: rule('RotationDatesRule'),
  /** The levels and cohorts that a rotation takes. */
  RotationLevelRule: rule('RotationLevelRule'),

  /** A punch this many minutes around the shift's begin or end needs no look for its time. Late is told from `lateAfterMinutes` on. */
  PunchToleranceMinutes: whole('PunchToleranceMinutes'),
  /** Decimals of latitude and longitude that are kept; 3 is about 110 m. */
  PositionDecimals: whole('PositionDecimals'),
  PositionRetentionDays: whole('PositionRetentionDays'),
  /** Days after a student has left until files and notes of their proofs are deleted; 0 keeps them. */
  ProofRetentionDays: whole('ProofRetentionDays'),
  /** Days that a student has to answer the notice of a finding before it can be made final. */
  PreAdverseDays: whole('PreAdverseDays'),
  /** A deep dose of a wear period, in mrem, from which on a reading is looked at. */
  DoseLimit: whole('DoseLimit'),
  /** Missing days count as makeup owed. */
  AbsencesAreMadeUp: flag('AbsencesAreMadeUp'),

  /** Until this many hours before it starts, students drop a shift that they signed up for; later only with approval. */
  DropHours: whole('DropHours'),
  SwapApproval: z.enum(swapApprovals).default(optionDefaults.SwapApproval),

  /** A shift that ends at the time at which it starts lasts 24 hours, instead of being refused. */
  DayLongShifts: flag('DayLongShifts'),
})
export type ProgramOptions = z.infer<typeof ProgramOptions>

/** The options as kept, completed with the defaults; names that a newer version knows are left out. */
export const readOptions = (kept: unknown): ProgramOptions => {
  const known = Object.fromEntries(
    Object.entries((kept ?? {}) as Record<string, unknown>).filter(
      ([name, value]) =>
        name in ProgramOptions.shape &&
        ProgramOptions.shape[name as keyof typeof ProgramOptions.shape].safeParse(value).success,
    ),
  )
  return ProgramOptions.parse(known)
}
