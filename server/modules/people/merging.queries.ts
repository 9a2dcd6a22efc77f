import { sql } from 'kysely'
import { type MergedKind, mergedKinds } from '#contract/people/merging.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { GraduateMerge } from '../graduates/merged-graduates.commands.ts'
import type { ReopenedRecord } from '../time/merged-hours.commands.ts'

const kindOf: Readonly<Record<string, MergedKind>> = {
  time_record: 'time',
  shift_assignment: 'shifts',
  open_shift_signup: 'shifts',
  shift_request: 'shifts',
  shift_request_person: 'shifts',
  evaluation: 'evaluations',
  evaluation_template_person: 'evaluations',
  procedure_log: 'procedures',
  lab_check: 'procedures',
  supervision_link: 'procedures',
  exam_attempt: 'exams',
  exam_examiner: 'exams',
  exam_exclusion: 'exams',
  exam_proof: 'exams',
  exam_recheck: 'exams',
  exam_signature: 'exams',
  requirement_exemption: 'requirements',
  requirement_proof: 'requirements',
  requirement_request: 'requirements',
  verification: 'requirements',
  site_packet_student: 'requirements',
  clearance: 'records',
  clinical_record: 'records',
  dose_reading: 'records',
  incident_report: 'records',
  pregnancy_declaration: 'records',
  remediation_plan: 'records',
  student_note: 'records',
  graduate: 'records',
  placement_cell: 'placement',
  placement_list_student: 'placement',
  placement_points: 'placement',
  placement_preference: 'placement',
  placement_student: 'placement',
  saml_user: 'sign-in',
  scim_user: 'sign-in',
  scim_group_member: 'sign-in',
  lti_roster_member: 'sign-in',
  recovery_code: 'sign-in',
}

/** Rows of tables, added up by what a person calls them. */
export const byKind = (
  rows: readonly { relation: string; amount: number }[],
): { Kind: MergedKind; Count: number }[] => {
  const counts = new Map<MergedKind, number>()
  for (const { relation, amount } of rows) {
    const kind = kindOf[relation] ?? 'other'
    if (amount > 0) counts.set(kind, (counts.get(kind) ?? 0) + amount)
  }
  return mergedKinds.flatMap((Kind) => {
    const Count = counts.get(Kind)
    return Count === undefined ? [] : [{ Kind, Count }]
  })
}

export const countRowsOf = async (db: Db, programId: number, userId: number) => {
  const { rows } = await sql<{
    relation: string
    amount: number
  }>`select relation, amount from count_rows_of(${programId}, ${userId})`.execute(db)
  return byKind(rows)
}

/** When somebody was here last. */
export const lastSeenOf = async (db: Db, userId: number): Promise<string | null> => {
  const { rows } = await sql<{
    at: string
  }>`select last_seen_at as at from account_seen where account_id = ${userId}`.execute(db)
  return rows[0]?.at ?? null
}

export type Columns = Record<string, unknown>

/** The accounts as they are, locked until the transaction ends, in the order of their ids, so that two merges never wait for each other. */
export const lockAccounts = async (
  db: Db,
  programId: number,
  ids: readonly number[],
): Promise<Map<number, Columns>> => {
  const { rows } = await sql<{ id: number; account: Columns }>`
    select a.id, to_jsonb(a) as account from account a
    where a.program_id = ${programId} and a.id = any (${[...ids]}::bigint[]) order by a.id for update`.execute(
    db,
  )
  return new Map(rows.map(({ id, account }) => [id, account]))
}

export interface Merge {
  kept_id: number
  merged_id: number
  kept_before: Columns
  kept_after: Columns
  merged_before: Columns
  undone_at: string | null
  graduate: GraduateMerge | null
  reopened: ReopenedRecord[] | null
}

/** A merge, locked until the transaction ends. */
export const findMerge = async (db: Db, programId: number, mergeId: number): Promise<Merge | undefined> => {
  const { rows } = await sql<Merge>`
    select * from account_merge where program_id = ${programId} and id = ${mergeId} for update`.execute(db)
  return rows[0]
}

/** Merges into an account, and of it into others. */
export const listMergesOf = async (db: Db, programId: number, userId: number) => {
  const { rows } = await sql<{
    Id: number
    Name: string
    Into: { Id: number; Name: string }
    UserName: string
    At: string
    By: string
    IsUndone: boolean
  }>`select m.id as "Id", trim(a.first_name || ' ' || a.last_name) as "Name", m.merged_before ->> 'user_name' as "UserName",
      jsonb_build_object('Id', k.id, 'Name', trim(k.first_name || ' ' || k.last_name)) as "Into",
      m.created_at as "At", coalesce(trim(b.first_name || ' ' || b.last_name), '') as "By", m.undone_at is not null as "IsUndone"
    from account_merge m
    join account a on a.program_id = m.program_id and a.id = m.merged_id
    join account k on k.program_id = m.program_id and k.id = m.kept_id
    left join account b on b.id = m.created_by
    where m.program_id = ${programId} and ${userId}::bigint in (m.kept_id, m.merged_id) order by m.id desc`.execute(
    db,
  )
  return rows
}

/** How an account was merged into another one, where it still is. */
export const findMergeOf = async (db: Db, programId: number, userId: number) =>
  (await listMergesOf(db, programId, userId)).find(({ Into, IsUndone }) => Into.Id !== userId && !IsUndone)
