import { z } from 'zod'
import { RequiredLine } from './fields.ts'

/** How strictly a rule of placement is held (product 3.4). */
export const Strictness = z.enum(['off', 'warn', 'block'])
export type Strictness = z.infer<typeof Strictness>

/**
 * The options of a program with their defaults. The first five are named by the specification (3 §1); the others are those
 * that scheduling, time and sign-in ask for (product 3.1–3.5).
 */
export const ProgramOptions = z.strictObject({
  DisableScheduleAssignmentsForFaculty: z.boolean().default(false),
  VisualizeFirst: z.boolean().default(false),
  EmployeeRegistryNumberEnabled: z.boolean().default(false),
  EmployeeRegistryNumberName: RequiredLine(50).default('Registry number'),
  HideDMSFields: z.boolean().default(false),

  SessionIdleMinutes: z.number().int().min(5).max(480).default(60),
  ServerTimeoutWarningMinutes: z.number().int().min(0).max(60).default(0),

  HoursPerDayRule: Strictness.default('warn'),
  MostHoursPerDay: z.number().min(1).max(24).default(12),
  HoursPerWeekRule: Strictness.default('block'),
  MostHoursPerWeek: z.number().min(1).max(168).default(40),
  DayOffRule: Strictness.default('block'),
  ComplianceRule: Strictness.default('block'),
  AgreementRule: Strictness.default('warn'),
  ProgramDatesRule: Strictness.default('block'),
  /** The shift's own active dates and weekdays. */
  ShiftDaysRule: Strictness.default('block'),
  RotationDatesRule: Strictness.default('block'),
  /** The levels and cohorts that a rotation takes. */
  RotationLevelRule: Strictness.default('block'),

  /** A punch this many minutes around the shift's begin or end counts as on time. */
  PunchToleranceMinutes: z.number().int().min(0).max(240).default(15),
  /** Decimals of latitude and longitude that are kept; 3 is about 110 m. */
  PositionDecimals: z.number().int().min(0).max(6).default(4),
  PositionRetentionDays: z.number().int().min(1).max(3650).default(180),
  /** Missing days count as makeup owed. */
  AbsencesAreMadeUp: z.boolean().default(true),
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
