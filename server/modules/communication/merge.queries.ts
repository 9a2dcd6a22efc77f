import { sql } from 'kysely'
import { type MergeFieldName, withoutValue } from '#contract/communication/merge-rules.ts'
import { type Db, workOn } from '#server/core/database/pool.ts'
import { readOpenTexts } from '../requirements/proofs.queries.ts'
import type { Chosen } from './emails.queries.ts'
import { readFacts } from './merge.across.ts'

/** What the fields say for one recipient. */
export type MergeValues = Partial<Record<MergeFieldName, string>>

const hourFields: readonly MergeFieldName[] = ['approvedHours', 'requiredHours', 'remainingHours']
const shiftFields: readonly MergeFieldName[] = [
  'nextShift',
  'nextShiftDate',
  'nextShiftTime',
  'nextShiftSite',
]

/** The programs of recipients without an account, such as contacts of sites. */
const readPrograms = async (db: Db, programIds: readonly number[]) => {
  const rows =
    programIds.length === 0
      ? []
      : await db
          .selectFrom('program as p')
          .innerJoin('college as c', 'c.id', 'p.college_id')
          .select(['p.id', 'p.name as program', 'c.name as college'])
          .where(sql<boolean>`p.id = any (${[...programIds]}::bigint[])`)
          .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

const hours = (minutes: number | null | undefined): string | undefined =>
  minutes
    ? (minutes / 60).toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
    : undefined

/** What is open of requirements, for those who write within a program: nobody reads it of others. */
const readRequirements = async (
  db: Db,
  recipients: readonly Chosen[],
  fields: readonly MergeFieldName[],
): Promise<ReadonlyMap<number, string>> => {
  const [{ programId = null } = {}] = recipients
  if (programId === null || !fields.includes('openRequirements')) return new Map()
  return readOpenTexts(
    db,
    programId,
    recipients.flatMap(({ accountId }) => accountId ?? []),
  )
}

/**
 * What the fields say for each recipient, in their order, and for how many of them a field has no value: five statements at
 * most, however many they are. The transaction may work on other programs afterwards when `isSuper`.
 */
export const readMergeValues = async (
  db: Db,
  recipients: readonly Chosen[],
  fields: readonly MergeFieldName[],
  { sender, isSuper }: { sender: string; isSuper: boolean },
): Promise<{ values: MergeValues[]; missing: Map<MergeFieldName, number> }> => {
  const missing = new Map<MergeFieldName, number>()
  if (fields.length === 0) return { values: recipients.map(() => ({})), missing }
  if (isSuper) await workOn(db, [...new Set(recipients.flatMap(({ programId }) => programId ?? []))])
  const facts = await readFacts(
    db,
    recipients.flatMap(({ accountId }) => accountId ?? []),
    {
      hours: fields.some((field) => hourFields.includes(field)),
      shift: fields.some((field) => shiftFields.includes(field)),
    },
  )
  const requirements = isSuper ? new Map<number, string>() : await readRequirements(db, recipients, fields)
  const programs = await readPrograms(db, [
    ...new Set(recipients.flatMap(({ programId, accountId }) => (accountId === null && programId) || [])),
  ])
  const values = recipients.map(({ name, accountId, programId }) => {
    const fact = facts.get(accountId ?? 0)
    const program = fact ?? programs.get(programId ?? 0)
    const shift = fact?.shift_date ? `${fact.shift_date} ${fact.shift_time}, ${fact.shift_site}` : undefined
    const known: Record<MergeFieldName, string | null | undefined> = {
      name,
      firstName: fact?.first_name ?? name.split(' ')[0],
      lastName: fact?.last_name ?? name.split(' ').slice(1).join(' '),
      studentId: fact?.student_number,
      studentLevel: fact?.level,
      cohort: fact?.cohort,
      program: program?.program,
      college: program?.college,
      approvedHours: hours(fact?.approved),
      requiredHours: hours(fact?.required),
      remainingHours: hours(Math.max(0, (fact?.required ?? 0) - (fact?.approved ?? 0))),
      nextShift: shift,
      nextShiftDate: fact?.shift_date,
      nextShiftTime: fact?.shift_time,
      nextShiftSite: fact?.shift_site,
      openRequirements: requirements.get(accountId ?? 0) === '' ? 'none' : requirements.get(accountId ?? 0),
      sender,
    }
    return Object.fromEntries(
      fields.map((field) => {
        const value = known[field]?.trim()
        if (!value && withoutValue(field)) missing.set(field, (missing.get(field) ?? 0) + 1)
        return [field, value || withoutValue(field)]
      }),
    ) as MergeValues
  })
  return { values, missing }
}
