import { z } from 'zod'
import { RequiredLine } from './fields.ts'

/** How strictly a rule of placement is held (product 3.4). */
export const Strictness = z.enum(['off', 'warn', 'block'])
export type Strictness = z.infer<typeof Strictness>

/** Least and most of the options that are numbers. */
export const optionLimits = {
  SessionIdleMinutes: { min: 5, max: 480 },
  ServerTimeoutWarningMinutes: { min: 0, max: 60 },
  MostHoursPerDay: { min: 1, max: 24 },
  MostHoursPerWeek: { min: 1, max: 168 },
  PunchToleranceMinutes: { min: 0, max: 240 },
  PositionDecimals: { min: 0, max: 6 },
  PositionRetentionDays: { min: 1, max: 3650 },
} as const

const number = (name: keyof typeof optionLimits) =>
  z.number().min(optionLimits[name].min).max(optionLimits[name].max)
const whole = (name: keyof typeof optionLimits) => number(name).int()

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
  AbsencesAreMadeUp: true,
} as const

/**
 * The options of a program with their defaults. The first five are named by the specification (3 §1); the others are those
 * that scheduling, time and sign-in ask for (product 3.1–3.5).
 */
export const ProgramOptions = z.strictObject({
  DisableScheduleAssignmentsForFaculty: z
    .boolean()
    .default(optionDefaults.DisableScheduleAssignmentsForFaculty),
  VisualizeFirst: z.boolean().default(optionDefaults.VisualizeFirst),
  EmployeeRegistryNumberEnabled: z.boolean().default(optionDefaults.EmployeeRegistryNumberEnabled),
  EmployeeRegistryNumberName: RequiredLine(50).default(optionDefaults.EmployeeRegistryNumberName),
  HideDMSFields: z.boolean().default(optionDefaults.HideDMSFields),

  SessionIdleMinutes: whole('SessionIdleMinutes').default(optionDefaults.SessionIdleMinutes),
  ServerTimeoutWarningMinutes: whole('ServerTimeoutWarningMinutes').default(
    optionDefaults.ServerTimeoutWarningMinutes,
  ),

  HoursPerDayRule: Strictness.default(optionDefaults.HoursPerDayRule),
  MostHoursPerDay: number('MostHoursPerDay').default(optionDefaults.MostHoursPerDay),
  HoursPerWeekRule: Strictness.default(optionDefaults.HoursPerWeekRule),
  MostHoursPerWeek: number('MostHoursPerWeek').default(optionDefaults.MostHoursPerWeek),
  DayOffRule: Strictness.default(optionDefaults.DayOffRule),
  ComplianceRule: Strictness.default(optionDefaults.ComplianceRule),
  AgreementRule: Strictness.default(optionDefaults.AgreementRule),
  ProgramDatesRule: Strictness.default(optionDefaults.ProgramDatesRule),
  /** The shift's own active dates and weekdays. */
  ShiftDaysRule: Strictness.default(optionDefaults.ShiftDaysRule),
  RotationDatesRule: Strictness.default(optionDefaults.RotationDatesRule),
  /** The levels and cohorts that a rotation takes. */
  RotationLevelRule: Strictness.default(optionDefaults.RotationLevelRule),

  /** A punch this many minutes around the shift's begin or end counts as on time. */
  PunchToleranceMinutes: whole('PunchToleranceMinutes').default(optionDefaults.PunchToleranceMinutes),
  /** Decimals of latitude and longitude that are kept; 3 is about 110 m. */
  PositionDecimals: whole('PositionDecimals').default(optionDefaults.PositionDecimals),
  PositionRetentionDays: whole('PositionRetentionDays').default(optionDefaults.PositionRetentionDays),
  /** Missing days count as makeup owed. */
  AbsencesAreMadeUp: z.boolean().default(optionDefaults.AbsencesAreMadeUp),
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
