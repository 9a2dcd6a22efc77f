import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { DateOnly, Id, InProgram, Instant } from '#contract/core/fields.ts'
import { UserDetail } from './people.ts'

/** What of a person can be taken from either account. */
export const mergedFields = [
  'FirstName',
  'MiddleName',
  'LastName',
  'Suffix',
  'EmailAddress',
  'PhoneNumber',
  'ZipCode',
  'Institution',
  'StudentNumber',
  'StudentLevelId',
  'Cohort',
  'UserName',
] as const
export type MergedField = (typeof mergedFields)[number]

/** What a merge takes from the account that ends unless somebody chooses otherwise: whatever the other one lacks. */
export const takenFirst = (
  kept: Partial<Record<MergedField, string | number | null>>,
  merged: Partial<Record<MergedField, string | number | null>>,
): MergedField[] => mergedFields.filter((field) => !kept[field] && Boolean(merged[field]))

/** Why an account stays first: what is said of it alone, in the order in which it counts. */
export const stayReasons = ['active', 'signedIn', 'records', 'older'] as const
export type StayReason = (typeof stayReasons)[number]

interface Side {
  Person: { Id: number; IsActive: boolean }
  LastSeenAt: string | null
  Rows: readonly { Count: number }[]
}

/**
 * Which of two accounts stays unless somebody swaps them, and why. What belongs to them goes to either; how somebody signs in is that of
 * the account that stays. So the one that is in use comes first, then the one with more in it, then the older.
 */
export const staysFirst = <S extends Side>(one: S, other: S): { stays: S; reason: StayReason } => {
  const said: Record<StayReason, (side: Side) => number> = {
    active: ({ Person }) => Number(Person.IsActive),
    signedIn: ({ LastSeenAt }) => Number(LastSeenAt !== null),
    records: ({ Rows }) => Rows.reduce((sum, { Count }) => sum + Count, 0),
    older: ({ Person }) => -Person.Id,
  }
  // Two accounts have two ids.
  const reason = stayReasons.find((each) => said[each](one) !== said[each](other))!
  return { stays: said[reason](one) > said[reason](other) ? one : other, reason }
}

/** What belongs to an account, in the words of its pages. */
export const mergedKinds = [
  'time',
  'shifts',
  'evaluations',
  'procedures',
  'exams',
  'requirements',
  'records',
  'placement',
  'sign-in',
  'other',
] as const
export type MergedKind = (typeof mergedKinds)[number]

const Counted = z.array(z.object({ Kind: z.enum(mergedKinds), Count: z.number().int() }))

const twoAccounts = {
  /** The account that stays. */
  KeptId: Id,
  /** The account that ends. */
  MergedId: Id,
}

export const previewMerge = endpoint({
  method: 'GET',
  path: '/programs/:programId/account-merges/preview',
  may: 'people.write',
  summary: 'Two accounts of one person side by side, with what belongs to each; nothing is changed',
  params: InProgram,
  query: z.strictObject(twoAccounts),
  answer: z.object({
    Kept: z.object({ Person: UserDetail, LastSeenAt: Instant.nullable(), Rows: Counted }),
    Merged: z.object({ Person: UserDetail, LastSeenAt: Instant.nullable(), Rows: Counted }),
  }),
  errors: {
    409: 'one of them was merged into another account already, or something long is being saved in the program',
    422: 'the two cannot be merged',
  },
})

export const mergeAccounts = endpoint({
  method: 'POST',
  path: '/programs/:programId/account-merges',
  proof: true,
  lasts: true,
  may: 'people.write',
  byKey: 'never',
  endsPeople: true,
  summary:
    'Merge two accounts of one person: what belongs to the second belongs to the first, and the second ends',
  params: InProgram,
  body: z.strictObject({
    ...twoAccounts,
    /** What is taken from the account that ends; all else stays as the first account has it. */
    Take: z
      .array(z.enum(mergedFields))
      .max(mergedFields.length)
      .default([])
      .transform((fields) => [...new Set(fields)]),
    /** Only look what would move and what would be left; nothing is changed. */
    DryRun: z.boolean().default(false),
  }),
  answer: z.object({
    /** Null where nothing was changed. */
    MergeId: Id.nullable(),
    Moved: Counted,
    /** What cannot belong to the first account, such as a shift at the same time. The second account keeps it, without access. */
    Left: Counted,
    /** Approved time records that wait for approval again, since they lie over approved ones of the first account. */
    Reopened: z.number().int(),
  }),
  errors: { 422: 'the two cannot be merged' },
})

export const listAccountMerges = endpoint({
  method: 'GET',
  path: '/programs/:programId/users/:userId/account-merges',
  may: 'people.write',
  summary: 'What was merged into a person’s account, or that account into another, the latest first',
  params: z.strictObject({ programId: Id, userId: Id }),
  answer: z.array(
    z.object({
      Id,
      /** As the account that ended was called. */
      Name: z.string(),
      /** The account that it belongs to now. */
      Into: z.object({ Id, Name: z.string() }),
      UserName: z.string(),
      At: Instant,
      By: z.string(),
      IsUndone: z.boolean(),
    }),
  ),
})

export const undoAccountMerge = endpoint({
  method: 'POST',
  path: '/programs/:programId/account-merges/:mergeId/undo',
  proof: true,
  may: 'people.write',
  byKey: 'never',
  endsPeople: true,
  summary: 'Make two accounts of a merged one again, each with what belonged to it',
  params: z.strictObject({ programId: Id, mergeId: Id }),
  answer: z.object({
    Returned: z.number().int(),
    /** Shifts of the second account that do not come back, since their place is taken, and why. */
    Refused: z.array(z.object({ Site: z.string(), Date: DateOnly, Message: z.string() })),
  }),
  errors: { 409: 'it was undone already, or the account that stayed was merged into another one since' },
})
