import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Id, InProgram, Instant, Line, PageOf, paging } from '#contract/core/fields.ts'

/** What a program may have left unused, in the order of the screen. */
export const features = [
  'sites',
  'scheduling',
  'clock',
  'evaluations',
  'supervisors',
  'imports',
  'data-sync',
  'agreements',
  'documents',
  'verifications',
  'announcements',
  'calendar',
  'notification-copies',
  'employment',
] as const
export type Feature = (typeof features)[number]
const FeatureName = z.enum(features)

/** A mail about a feature to a program's staff; `Times` counts all of them, the rest is about the last. */
const FeatureEmail = z.object({
  Date: Instant,
  By: z.string(),
  Recipients: z.number().int(),
  Times: z.number().int(),
})

export const ProgramFeatures = z.object({
  ProgramId: Id,
  ProgramName: z.string(),
  CollegeName: z.string(),
  /** The features that it never used. */
  Unused: z.array(z.object({ Feature: FeatureName, Email: FeatureEmail.nullable() })),
})
export type ProgramFeatures = z.infer<typeof ProgramFeatures>

export const listUnusedFeatures = endpoint({
  method: 'GET',
  path: '/unused-features',
  may: 'unused-features.manage',
  summary: 'Programs by name, each with the features that it never used',
  query: z.strictObject({
    ...paging,
    search: Line(100).default(''),
    /** Only programs that never used this one. */
    Feature: FeatureName.optional(),
  }),
  answer: PageOf(ProgramFeatures),
})

/** A feature with its guide in the words of the program, and whether the program has used it. */
export const FeatureGuide = z.object({
  Feature: FeatureName,
  Name: z.string(),
  Guide: z.string(),
  IsUsed: z.boolean(),
  Email: FeatureEmail.nullable(),
})
export type FeatureGuide = z.infer<typeof FeatureGuide>

export const listFeatureGuides = endpoint({
  method: 'GET',
  path: '/programs/:programId/unused-features',
  may: 'unused-features.manage',
  summary:
    'All features with their guides, whether the program used them, and who of its staff a mail would reach',
  params: InProgram,
  answer: z.object({ Features: z.array(FeatureGuide), Recipients: z.array(z.string()) }),
})

export const mailFeatureGuides = endpoint({
  method: 'POST',
  path: '/programs/:programId/unused-features/emails',
  may: 'unused-features.manage',
  summary: "Mail the guides of features to the program's staff, each once unless asked again",
  params: InProgram,
  body: z.strictObject({
    Features: z.array(FeatureName).min(1).max(features.length),
    /** Also those that were mailed before. */
    Again: z.boolean().default(false),
  }),
  answer: z.object({
    /** How many people are written to, one email each. */
    Recipients: z.number().int(),
    Mailed: z.array(FeatureName),
    /** Mailed before, or used in the meantime. */
    Skipped: z.array(FeatureName),
  }),
  errors: { 422: 'the program has no staff with an email address' },
})
