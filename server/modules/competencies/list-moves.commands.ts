import { sql } from 'kysely'
import type { ProcedureMapping } from '#contract/competencies/competency-lists.ts'
import { competencyFailures } from '#contract/competencies/failures.ts'
import type { ListMovePreview, StudentMovePreview } from '#contract/competencies/list-moves.ts'
import { keepIf } from '#server/core/database/keep-if.ts'
import type { Db } from '#server/core/database/pool.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { moveStudent } from '../people/levels.commands.ts'
import { listAskedOf } from '../requirements/asked.queries.ts'
import { giveToOthers, giveToOthersAlone, setCohorts } from './competency-lists.commands.ts'
import { changeDesign } from './list-design.commands.ts'

interface Giving {
  programId: number
  listId: number
  cohorts: readonly string[]
  /** False leaves the students without a list of their own to the list that they have. */
  isForOthers: boolean
  mapping: ProcedureMapping
  by: number
}

interface Listed {
  id: number
  listId: number
  list: string
  study: string
  name: string
  lineage: string
  isLive: boolean
}

const listsOfStudents = async (
  db: Db,
  programId: number,
  students: number[] | null = null,
): Promise<Map<number, number>> => {
  const { rows } = await sql<{ studentId: number; listId: number }>`
    select student_id as "studentId", list_id as "listId" from competency_lists_of(${programId}, ${students}::bigint[])`.execute(
    db,
  )
  return new Map(rows.map(({ studentId, listId }) => [studentId, listId]))
}

/** All procedures of the program that ever were in a list. */
const listAll = async (db: Db, programId: number): Promise<Map<number, Listed>> => {
  const { rows } = await sql<Listed>`
    select t.id, m.list_id as "listId", l.name as list, m.name as study, t.name, t.lineage,
      t.deleted_at is null and m.deleted_at is null as "isLive"
    from skill t join major_study m on m.program_id = t.program_id and m.id = t.major_study_id
    join competency_list l on l.program_id = m.program_id and l.id = m.list_id
    where t.program_id = ${programId} order by l.effective_on, l.id, m.position, m.id, t.position, t.id`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

const cohortLists = async (db: Db, programId: number) => {
  const { rows } = await sql<{ cohort: string; listId: number }>`
    select cohort, list_id as "listId" from competency_list_cohort where program_id = ${programId}`.execute(
    db,
  )
  return new Map(rows.map(({ cohort, listId }) => [cohort, listId]))
}

const findOthersList = async (db: Db, programId: number): Promise<number | null> => {
  const { rows } = await sql<{ id: number }>`
    select id from competency_list where program_id = ${programId} and is_for_others and deleted_at is null`.execute(
    db,
  )
  return rows[0]?.id ?? null
}

const refuseMapping = ({ listId, mapping }: Giving, procedures: ReadonlyMap<number, Listed>): void => {
  for (const { ProcedureId, ToProcedureId } of mapping) {
    const from = procedures.get(ProcedureId)
    const to = ToProcedureId === null ? undefined : procedures.get(ToProcedureId)
    if (!from || from.listId === listId || (ToProcedureId !== null && !(to?.isLive && to.listId === listId)))
      throw fail(competencyFailures.mapping_gone, 'Mapping')
  }
}

/** What somebody chose about procedures of lists that students leave; what they had chosen before is forgotten. */
const applyMapping = async (
  db: Db,
  { programId, listId, mapping }: Giving,
  procedures: ReadonlyMap<number, Listed>,
): Promise<void> => {
  await sql`update competency_list_link set kept_apart = '{}', is_compared = false
    where program_id = ${programId} and ${listId} in (one_list_id, other_list_id)`.execute(db)
  const chosen = mapping.filter(({ ToProcedureId }) => ToProcedureId !== null)
  if (chosen.length > 0)
    await sql`call unite_procedures(${programId}, ${chosen.map(({ ProcedureId }) => ProcedureId)}::bigint[],
      ${chosen.map(({ ToProcedureId }) => ToProcedureId)}::bigint[])`.execute(db)
  const apart = mapping.filter(({ ToProcedureId }) => ToProcedureId === null)
  // Each was found to be of a list.
  const ofLists = Map.groupBy(apart, ({ ProcedureId }) => procedures.get(ProcedureId)!.listId)
  await keepApart(
    db,
    { programId, listId },
    [...ofLists].map(([other, rows]) => ({ other, ids: rows.map(({ ProcedureId }) => ProcedureId) })),
  )
}

const keepApart = async (
  db: Db,
  { programId, listId }: { programId: number; listId: number },
  lists: readonly { other: number; ids: readonly number[] }[],
): Promise<void> => {
  await sql`insert into competency_list_link as l (program_id, one_list_id, other_list_id, kept_apart)
    select ${programId}, least(${listId}::bigint, g.other), greatest(${listId}::bigint, g.other), g.ids
    from jsonb_to_recordset(${JSON.stringify(lists)}::jsonb) as g (other bigint, ids bigint[])
    on conflict (program_id, one_list_id, other_list_id) do update set kept_apart = l.kept_apart || excluded.kept_apart`.execute(
    db,
  )
}

interface Given {
  /** Whose list is another one now, with the former one. */
  moved: ReadonlyMap<number, number>
  /** Cohorts that got the former list of all others as their own. */
  kept: string[]
  before: ReadonlyMap<number, Listed>
  after: ReadonlyMap<number, Listed>
}

const give = async (
  db: Db,
  giving: Giving,
): Promise<Given & { others: number | null; cohorts: Map<string, number> }> => {
  const { programId, listId } = giving
  const { kept, lists, before, cohorts, others } = await changeDesign(db, programId, async () => {
    const was = {
      lists: await listsOfStudents(db, programId),
      before: await listAll(db, programId),
      cohorts: await cohortLists(db, programId),
      others: await findOthersList(db, programId),
    }
    refuseMapping(giving, was.before)
    await applyMapping(db, giving, was.before)
    const isGiven = giving.isForOthers && was.others !== listId
    const kept = isGiven ? await giveToOthers(db, programId, listId) : []
    await setCohorts(db, programId, listId, giving.cohorts)
    return { ...was, kept }
  })
  const now = await listsOfStudents(db, programId)
  const moved = new Map([...lists].filter(([student, list]) => now.has(student) && now.get(student) !== list))
  return { moved, kept, before, after: await listAll(db, programId), others, cohorts }
}

/** The procedures that are the same as others now, with what each was before. */
const changedLineages = ({ before, after }: Given): Record<string, string> =>
  Object.fromEntries(
    [...before.values()].flatMap(({ id, lineage }) =>
      after.get(id)?.lineage === lineage ? [] : [[String(id), lineage] as const],
    ),
  )

/**
 * Gives the list to cohorts and no others, and to all other students where it is for them. What they passed counts by the mapping
 * and by names. Answers the cohorts that keep their former list, and how many students have another one now.
 */
export const giveList = async (db: Db, giving: Giving): Promise<{ kept: string[]; students: number }> => {
  const given = await give(db, giving)
  const { programId, listId } = giving
  if (given.moved.size > 0) {
    const now = await cohortLists(db, programId)
    const changed = [...new Set([...given.cohorts.keys(), ...now.keys()])].filter(
      (cohort) => given.cohorts.get(cohort) !== now.get(cohort),
    )
    await db
      .insertInto('competency_list_move')
      .values({
        program_id: programId,
        list_id: listId,
        students: given.moved.size,
        cohorts: JSON.stringify(
          Object.fromEntries(
            changed.map((cohort) => [
              cohort,
              { before: given.cohorts.get(cohort) ?? null, after: now.get(cohort) ?? null },
            ]),
          ),
        ),
        others_list_id: given.others,
        lineages: JSON.stringify(changedLineages(given)),
        moved_by: giving.by,
      })
      .execute()
  }
  return { kept: given.kept, students: given.moved.size }
}

interface StudentMove {
  programId: number
  studentId: number
  cohort: string | null
  level: number | null
}

interface Evidence {
  studentId: number
  skillId: number
  isPassed: boolean
  logs: number
}

const listEvidence = async (db: Db, programId: number, students: readonly number[]): Promise<Evidence[]> => {
  const { rows } = await sql<Evidence>`
    select student_id as "studentId", skill_id as "skillId", bool_or(passed) as "isPassed", sum(logs)::integer as logs
    from (
      select student_id, skill_id, true as passed, 0 as logs from exam_attempt
      where program_id = ${programId} and student_id = any (${[...students]}::bigint[]) and state = 'passed'
      union all
      select student_id, skill_id, false, verified + waiting from procedure_sum
      where program_id = ${programId} and student_id = any (${[...students]}::bigint[])) e
    group by 1, 2`.execute(db)
  return rows
}

const listNames = async (db: Db, programId: number, students: readonly number[]) => {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, listed_name(last_name, first_name) as name from account
    where program_id = ${programId} and id = any (${[...students]}::bigint[])
    order by last_name, first_name, id`.execute(db)
  return rows
}

/** What `giveList` would do, by doing it and taking it back. */
export const previewGiving = async (db: Db, giving: Giving): Promise<ListMovePreview> =>
  describe(db, giving, await keepIf(db, false, () => give(db, giving)))

const describe = async (
  db: Db,
  { programId, listId, mapping }: Pick<Giving, 'programId' | 'listId' | 'mapping'>,
  { moved, before, after }: Pick<Given, 'moved' | 'before' | 'after'>,
): Promise<ListMovePreview> => {
  const offered = [...after.values()].filter((each) => each.listId === listId && each.isLive)
  const counts = new Map(offered.map(({ id, lineage }) => [lineage, id]))
  const versions = new Set(
    [...before.values()].flatMap((each) => (each.listId === listId && each.isLive ? each.lineage : [])),
  )
  const evidence = await listEvidence(db, programId, [...moved.keys()])
  const left = new Set(moved.values())
  // One row a procedure, however many versions of it there are: the last one of a list that students leave, if there is one.
  const rows = new Map<string, Listed>()
  const isShown = new Set(evidence.map(({ skillId }) => skillId))
  for (const each of before.values())
    if (each.listId !== listId && ((left.has(each.listId) && each.isLive) || isShown.has(each.id))) {
      const other = rows.get(each.lineage)
      if (!other || !left.has(other.listId) || left.has(each.listId)) rows.set(each.lineage, each)
    }
  const chosen = new Set(mapping.flatMap((row) => (row.ToProcedureId === null ? [] : row.ProcedureId)))
  // Evidence is of procedures, which `before` has all of.
  const byLineage = Map.groupBy(evidence, ({ skillId }) => before.get(skillId)!.lineage)
  const passedBy = new Map<number, Set<string>>()
  for (const { studentId, skillId, isPassed } of evidence)
    if (isPassed) {
      const own = passedBy.get(studentId) ?? new Set<string>()
      passedBy.set(studentId, own.add(before.get(skillId)!.lineage))
    }
  const targetOf = new Map(
    [...before.values()].map(({ id, lineage }) => [
      lineage,
      counts.get(after.get(id)?.lineage ?? '') ?? null,
    ]),
  )
  const people = (await listNames(db, programId, [...moved.keys()])).map(({ id, name }) => {
    const passed = [...(passedBy.get(id) ?? [])]
    return {
      StudentId: id,
      Student: name,
      Passed: passed.length,
      Counting: passed.filter((lineage) => targetOf.get(lineage) != null).length,
    }
  })
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
  return {
    Students: moved.size,
    Passed: sum(people.map(({ Passed }) => Passed)),
    Counting: sum(people.map(({ Counting }) => Counting)),
    Procedures: [...rows.values()].map(({ id, list, study, name, lineage }) => {
      const own = byLineage.get(lineage) ?? []
      const target = targetOf.get(lineage) ?? null
      return {
        ProcedureId: id,
        List: list,
        MajorStudy: study,
        Name: name,
        ToProcedureId: target,
        By: target === null ? null : versions.has(lineage) ? 'same' : chosen.has(id) ? 'chosen' : 'name',
        Passed: new Set(own.flatMap(({ isPassed, studentId }) => (isPassed ? studentId : []))).size,
        Logs: sum(own.map(({ logs }) => logs)),
      }
    }),
    Offered: offered.map(({ id, study, name }) => ({ Id: id, MajorStudy: study, Name: name })),
    People: people,
  }
}

const listNamesOf = async (db: Db, programId: number, ids: readonly number[]) => {
  const rows = await db
    .selectFrom('competency_list')
    .select(['id', 'name'])
    .where('program_id', '=', programId)
    .where('id', 'in', [0, ...ids])
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** What another cohort or level would do to a student, by giving it and taking it back. */
export const previewStudentMove = async (
  db: Db,
  { programId, studentId, cohort, level }: StudentMove,
): Promise<StudentMovePreview> => {
  const read = async () => ({
    listId: (await listsOfStudents(db, programId, [studentId])).get(studentId) ?? 0,
    asked: await listAskedOf(db, programId, studentId),
  })
  const procedures = await listAll(db, programId)
  const before = await read()
  const after = await keepIf(db, false, async () => {
    await moveStudent(db, { programId, id: studentId }, { cohort, level })
    return read()
  })
  const isMoved = before.listId !== after.listId
  const { Passed, Counting, Procedures } = await describe(
    db,
    { programId, listId: after.listId, mapping: [] },
    {
      moved: new Map(isMoved ? [[studentId, before.listId]] : []),
      before: procedures,
      after: procedures,
    },
  )
  const names = await listNamesOf(db, programId, [before.listId, after.listId])
  return {
    FromList: names.get(before.listId) ?? null,
    ToList: names.get(after.listId) ?? null,
    Passed,
    Counting,
    NotCounting: Procedures.flatMap(({ List, MajorStudy, Name, ToProcedureId, Passed: passed }) =>
      passed > 0 && ToProcedureId === null ? { List, MajorStudy, Name } : [],
    ),
    Asked: [...after.asked].flatMap(([Name, IsMet]) => (before.asked.has(Name) ? [] : { Name, IsMet })),
    NoLongerAsked: [...before.asked.keys()].filter((name) => !after.asked.has(name)),
  }
}

interface Move {
  id: number
  cohorts: Record<string, { before: number | null; after: number | null }>
  othersListId: number | null
  lineages: Record<string, string>
}

const findLastMove = async (db: Db, programId: number, listId: number): Promise<Move | undefined> => {
  const { rows } = await sql<Move>`
    select id, cohorts, others_list_id as "othersListId", lineages from competency_list_move
    where program_id = ${programId} and list_id = ${listId} and undone_at is null order by id desc limit 1`.execute(
    db,
  )
  return rows[0]
}

/** Whether every cohort still has the list that the move gave it, and the former ones are still there. */
const isAsLeft = async (db: Db, programId: number, { cohorts }: Move): Promise<boolean> => {
  const now = await cohortLists(db, programId)
  const live = new Set(
    (
      await db
        .selectFrom('competency_list')
        .select('id')
        .where('program_id', '=', programId)
        .where('deleted_at', 'is', null)
        .execute()
    ).map(({ id }) => id),
  )
  return Object.entries(cohorts).every(
    ([cohort, { before, after }]) =>
      (now.get(cohort) ?? null) === after && (before === null || live.has(before)),
  )
}

/** Takes back what `giveList` did last; false where that is no longer possible. */
export const undoGiving = (db: Db, programId: number, listId: number): Promise<boolean> =>
  changeDesign(db, programId, async () => {
    const move = await findLastMove(db, programId, listId)
    if (!move || !(await isAsLeft(db, programId, move))) return false
    const changed = Object.keys(move.lineages).map(Number)
    const procedures = await listAll(db, programId)
    await sql`update skill s set lineage = (g.value #>> '{}')::uuid from jsonb_each(${JSON.stringify(move.lineages)}::jsonb) g
    where s.program_id = ${programId} and s.id = g.key::bigint`.execute(db)
    const ofLists = Map.groupBy(
      changed.flatMap((id) => procedures.get(id) ?? []).filter((each) => each.listId !== listId),
      (each) => each.listId,
    )
    await keepApart(
      db,
      { programId, listId },
      [...ofLists].map(([other, rows]) => ({ other, ids: rows.map(({ id }) => id) })),
    )
    const former = JSON.stringify(
      Object.entries(move.cohorts).map(([cohort, { before }]) => ({ cohort, list_id: before })),
    )
    await sql`delete from competency_list_cohort c using jsonb_to_recordset(${former}::jsonb) as g (cohort text, list_id bigint)
    where c.program_id = ${programId} and c.cohort = g.cohort and g.list_id is null`.execute(db)
    await sql`insert into competency_list_cohort (program_id, cohort, list_id)
    select ${programId}, g.cohort, g.list_id from jsonb_to_recordset(${former}::jsonb) as g (cohort text, list_id bigint)
    where g.list_id is not null
    on conflict (program_id, cohort) do update set list_id = excluded.list_id`.execute(db)
    const others = await findOthersList(db, programId)
    if (others === listId && move.othersListId !== null && move.othersListId !== listId)
      await giveToOthersAlone(db, programId, move.othersListId)
    await sql`update competency_list_move set undone_at = now() where program_id = ${programId} and id = ${move.id}`.execute(
      db,
    )
    return true
  })
