import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, InProgram, weekFields } from '#contract/core/fields.ts'
import { ShownAnnouncement } from '#contract/news/announcements.ts'
import { ShownNews } from '#contract/news/news.ts'

/** Something that waits: how many, and a few names or a date that say which. */
const Waiting = z.object({ Count: z.number().int(), Detail: z.string() })

/** What the coordinator's home shows: what needs attention first. */
export const Home = z.object({
  Today: DateOnly,
  Careful: Waiting,
  Unmatched: Waiting,
  NotClockedIn: Waiting,
  LateEvaluations: Waiting,
  /** Proofs to review: the detail is how many keep their student from a shift within a week. */
  WaitingProofs: Waiting,
  ExpiredRequirements: Waiting,
  /** Logged procedures that nobody has verified for a week: the detail is the first day. */
  WaitingLogs: Waiting,
  /** Exams whose result is suspended since whoever signed says that it was not them; without a detail. */
  SuspendedExams: Waiting,
  /** Simulated exams that no coordinator has approved yet: the detail is the first day. */
  SimulationsToApprove: Waiting,
  /** Offers of sites that nobody has decided about: the detail is the site that answered first. */
  OfferedPlaces: Waiting,
  /** Students at risk by the program's rule, as the page of their progress lists them; without a detail. */
  AtRisk: Waiting,
  /** Students who were added and have neither shifts nor a cohort and level: the detail is who. */
  NotSetUp: Waiting,
  /** Agreements that end within 30 days, the detail is the first end; and those that have ended while students still go there, with their shifts. */
  EndingAgreements: Waiting.extend({ Ended: z.number().int(), ShiftsAhead: z.number().int() }),
  /** Clean records: those that can be approved, with their minutes, and clock-ins that still run. */
  Clean: z.object({
    Count: z.number().int(),
    Minutes: z.number().int(),
    Running: z.number().int(),
    /** How many minutes off its shift a clean punch is at most (`PunchToleranceMinutes`). */
    ToleranceMinutes: z.number().int(),
  }),
  AtSitesNow: z.array(
    z.object({
      ShiftType: z.string(),
      StartTime: z.string(),
      EndTime: z.string(),
      Expected: z.number().int(),
      /** Clocked in and not out yet. */
      In: z.number().int(),
      /** Clocked out. */
      Left: z.number().int(),
      HasBegun: z.boolean(),
      HasEnded: z.boolean(),
    }),
  ),
  /** Clocked in where no shift is theirs. */
  InWithoutShift: z.number().int(),
  CapacityToday: z.array(
    z.object({ SiteId: Id, Site: z.string(), Placed: z.number().int(), Places: z.number().int() }),
  ),
  Agreements: z.array(
    z.object({
      AgreementId: Id,
      SiteId: Id,
      Site: z.string(),
      TerminationDate: DateOnly,
      Days: z.number().int(),
    }),
  ),
  Weeks: z.array(
    z.object({ ...weekFields, ApprovedMinutes: z.number().int(), PendingMinutes: z.number().int() }),
  ),
  Rotation: z
    .object({
      Id,
      Name: z.string(),
      EndDate: DateOnly,
      ApprovedMinutes: z.number().int(),
      TargetMinutes: z.number().int(),
      WeeklyTargetMinutes: z.number().int(),
      Students: z.number().int(),
      OnTime: z.number().int(),
    })
    .nullable(),
  Announcements: z.array(ShownAnnouncement),
  /** The installation's news for the program's modality, or for all. */
  News: z.array(ShownNews),
})
export type Home = z.infer<typeof Home>

export const getHome = endpoint({
  method: 'GET',
  path: '/programs/:programId/home',
  may: 'reports.read',
  summary: 'What needs attention in the program today',
  params: InProgram,
  answer: Home,
})
