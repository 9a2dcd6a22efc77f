import { sql } from 'kysely'
import { type MergedKind, mergedKinds } from '#contract/people/merging.ts'
import type { Db } from '#server/core/database/pool.ts'
import type { GraduateMerge } from '../graduates/merged-graduates.queries.ts'
import type { ReopenedRecord } from '../time/merged-hours.queries.ts'

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

type Columns = Record<string, unknown>

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

/** Sets columns of an account to what they are in JSON. */
export const setColumns = async (
  db: Db,
  programId: number,
  userId: number,
  columns: Columns,
): Promise<void> => {
  const names = Object.keys(columns)
  if (names.length === 0) return
  const json = JSON.stringify(columns)
  const set = names.map((name) => sql`${sql.ref(name)} = f.${sql.ref(name)}`)
  await sql`update account a set ${sql.join(set)} from jsonb_populate_record(null::account, ${json}::jsonb) f
    where a.program_id = ${programId} and a.id = ${userId}`.execute(db)
}

export const addMerge = async (
  db: Db,
  programId: number,
  merge: {
    keptId: number
    mergedId: number
    keptBefore: Columns
    keptAfter: Columns
    mergedBefore: Columns
    by: number
  },
): Promise<number> => {
  const { rows } = await sql<{ id: number }>`
    insert into account_merge (program_id, kept_id, merged_id, kept_before, kept_after, merged_before, created_by)
    values (${programId}, ${merge.keptId}, ${merge.mergedId}, ${JSON.stringify(merge.keptBefore)}::jsonb,
      ${JSON.stringify(merge.keptAfter)}::jsonb, ${JSON.stringify(merge.mergedBefore)}::jsonb, ${merge.by}) returning id`.execute(
    db,
  )
  return rows[0]!.id
}

/** Keeps what became of the rows among the graduates, for whoever undoes the merge. */
export const keepMergedGraduate = async (
  db: Db,
  programId: number,
  mergeId: number,
  graduate: GraduateMerge,
): Promise<void> => {
  await sql`update account_merge set graduate = ${JSON.stringify(graduate)}::jsonb
    where program_id = ${programId} and id = ${mergeId}`.execute(db)
}

/** Keeps which approved hours wait again, for whoever undoes the merge. */
export const keepReopened = async (
  db: Db,
  programId: number,
  mergeId: number,
  records: readonly ReopenedRecord[],
): Promise<void> => {
  await sql`update account_merge set reopened = ${JSON.stringify(records)}::jsonb
    where program_id = ${programId} and id = ${mergeId}`.execute(db)
}

export const giveRows = async (
  db: Db,
  programId: number,
  { mergedId, keptId, mergeId }: { mergedId: number; keptId: number; mergeId: number },
) => {
  // Anonymous forms about the one come after those about the other: the threes that results have shown stay what they are, and no
  // difference of before and after tells a single form.
  await sql`update evaluation e set anonymous_number = e.anonymous_number + (select max(m.anonymous_number) from evaluation m
      where m.program_id = e.program_id and m.template_id = e.template_id)
    where e.program_id = ${programId} and e.subject_id = ${mergedId} and e.anonymous_number is not null`.execute(
    db,
  )
  const { rows } = await sql<{ relation: string; given: number; left_over: number }>`
    select relation, given, left_over from merge_rows(${programId}, ${mergedId}, ${keptId}, ${mergeId})`.execute(
    db,
  )
  return {
    moved: byKind(rows.map(({ relation, given }) => ({ relation, amount: given }))),
    left: byKind(rows.map(({ relation, left_over }) => ({ relation, amount: left_over }))),
  }
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

export const takeRowsBack = async (
  db: Db,
  programId: number,
  mergeId: number,
  by: number,
): Promise<number> => {
  const { rows } = await sql<{
    n: number
  }>`select unmerge_rows(${programId}, ${mergeId}) as n`.execute(db)
  await sql`update account_merge set undone_at = now(), undone_by = ${by}
    where program_id = ${programId} and id = ${mergeId}`.execute(db)
  return rows[0]!.n
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

/**
 * Of what a merge has changed in the account that stayed, the fields that a later merge into it has changed again and still holds: those
 * give back, when they are undone, what was there before both.
 */
export const passOnBefore = async (db: Db, programId: number, mergeId: number, merge: Merge) => {
  const { rows: later } = await sql<{ id: number; kept_before: Columns; kept_after: Columns }>`
    select id, kept_before, kept_after from account_merge
    where program_id = ${programId} and kept_id = ${merge.kept_id} and id > ${mergeId} and undone_at is null
    order by id`.execute(db)
  const passed = new Set<string>()
  for (const [name, before] of Object.entries(merge.kept_before)) {
    const next = later.find(({ kept_before, kept_after }) => kept_before[name] !== kept_after[name])
    if (!next || next.kept_before[name] !== merge.kept_after[name]) continue
    passed.add(name)
    await sql`update account_merge set kept_before = kept_before || ${JSON.stringify({ [name]: before })}::jsonb
      where program_id = ${programId} and id = ${next.id}`.execute(db)
  }
  return passed
}
