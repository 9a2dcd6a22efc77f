import { z } from 'zod'
import { whyPrivate } from '#contract/competencies/log-refusals.ts'
import { endpoint } from '#contract/core/endpoint.ts'
import {
  DateOnly,
  Id,
  InProgram,
  Instant,
  Line,
  PageOf,
  paging,
  RequiredText,
} from '#contract/core/fields.ts'
import { problem } from '#contract/core/problems.ts'

export const incidentKinds = [
  'sharps',
  'bodyFluid',
  'radiation',
  'injury',
  'patient',
  'equipment',
  'other',
] as const
export type IncidentKind = (typeof incidentKinds)[number]

/** Texts that must not tell who a patient is. */
const Discreet = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .refine((text) => whyPrivate(text) === undefined, {
      error: ({ input }) => {
        const why = whyPrivate(String(input))
        return why && problem(why)
      },
    })

export const Incident = z.object({
  Id,
  StudentId: Id,
  Student: z.string(),
  Kind: z.enum(incidentKinds),
  Date: DateOnly,
  SiteId: Id.nullable(),
  Site: z.string(),
  Description: z.string(),
  Action: z.string(),
  Told: z.string(),
  ReportedAt: Instant,
  State: z.enum(['open', 'closed']),
  FollowUp: z.string(),
  ClosedAt: Instant.nullable(),
  ClosedBy: z.string().nullable(),
})
export type Incident = z.infer<typeof Incident>

export const IncidentInput = z.strictObject({
  Key: z.uuid(),
  Kind: z.enum(incidentKinds),
  Date: DateOnly,
  SiteId: Id.nullable().default(null),
  Description: Discreet(2_000).pipe(z.string().min(1, 'is required')),
  /** What was done at once. */
  Action: Discreet(1_000).default(''),
  /** Whom the student has told at the site. */
  Told: Line(200).default(''),
})
export type IncidentInput = z.input<typeof IncidentInput>

export const listOwnIncidents = endpoint({
  method: 'GET',
  path: '/incidents/mine',
  class: 'health',
  may: 'safety.own',
  summary: 'The own reports of incidents, the newest first, with the sites that one can name',
  answer: z.object({
    Today: DateOnly,
    Items: z.array(Incident),
    Sites: z.array(z.object({ Id, Name: z.string() })),
  }),
})

export const reportIncident = endpoint({
  method: 'POST',
  path: '/incidents/mine',
  class: 'health',
  may: 'safety.own',
  summary: 'Report an incident or exposure; directors and coordinators are told. A key is kept once',
  keptOffline: { version: 1 },
  body: IncidentInput,
  answer: Incident,
  errors: { 404: 'the site is none of the student’s', 422: 'the day has not come yet' },
})

export const listIncidents = endpoint({
  method: 'GET',
  path: '/programs/:programId/incidents',
  class: 'health',
  may: 'incidents.read',
  summary: 'Reports of incidents and exposures, the newest first',
  params: InProgram,
  query: z.strictObject({ State: z.enum(['open', 'closed']).default('open'), ...paging }),
  answer: PageOf(Incident),
})

export const closeIncident = endpoint({
  method: 'POST',
  path: '/programs/:programId/incidents/:incidentId/closing',
  class: 'health',
  may: 'incidents.read',
  summary: 'Close a report with what came of it; the student reads it',
  params: z.strictObject({ programId: Id, incidentId: Id }),
  body: z.strictObject({ FollowUp: RequiredText(1_000) }),
  answer: Incident,
  errors: { 409: 'it was closed meanwhile' },
})
