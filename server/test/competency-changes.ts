import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { CompiledQuery } from 'kysely'
import type pg from 'pg'
import { transaction } from '#server/core/database/pool.ts'
import { changeDesign } from '#server/modules/competencies/list-design.commands.ts'
import type { Installation } from './installation.ts'

/** What happens to students' competencies and their lists, at random: what is kept about them has to follow all of it. */
export const competencyChange = fc.record({
  kind: fc.constantFrom(
    'log',
    'log',
    'log',
    'verify',
    'return',
    'remove',
    'restore',
    'move',
    'attempt',
    'attempt',
    'decide',
    'decide',
    'lab',
    'unlab',
    'needed',
    'mandatory',
    'needs-lab',
    'delete-skill',
    'restore-skill',
    'count-level',
    'own-level',
    'delete-level',
    'rename-level',
    'electives',
    'cohort',
    'give-list',
    'lineage',
    'leave',
  ),
  number: fc.nat(1_000),
  value: fc.nat(1_000),
})
export type CompetencyChange = typeof competencyChange extends fc.Arbitrary<infer Value> ? Value : never

export interface Competing {
  programId: number
  students: readonly number[]
  lists: readonly number[]
}

const codeLetters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
let codes = 0
/** A short code that no other attempt of the run has. */
const nextCode = (): string => {
  let rest = ++codes
  let code = ''
  for (let at = 0; at < 8; at++) {
    code += codeLetters[rest % 32]
    rest = Math.floor(rest / 32)
  }
  return code
}

/** An attempt at an exam, decided at once where a result is given. */
export const makeAttempt = async (
  owner: pg.Pool,
  programId: number,
  {
    studentId,
    skillId,
    state = 'passed',
    isSimulated = false,
    date,
  }: {
    studentId: number
    skillId: number
    state?: 'open' | 'passed' | 'failed' | 'withdrawn'
    isSimulated?: boolean
    date?: string
  },
): Promise<number> => {
  const { rows } = await owner.query<{ id: number }>(
    `insert into exam_attempt (program_id, student_id, skill_id, number, state, result, graded_at, date, is_simulated, way, short_code)
    select $1, $2, $3, 1 + count(*), $4, case when $4 in ('passed', 'failed') then $4 end,
      case when $4 in ('passed', 'failed') then now() end, coalesce($7::date, current_date), $5, 'account', $6
    from exam_attempt where program_id = $1 and student_id = $2 and skill_id = $3 returning id`,
    [programId, studentId, skillId, state, isSimulated, nextCode(), date ?? null],
  )
  // It was inserted.
  return rows[0]!.id
}

/** Changes lists by a statement, as every change of them is made. */
export const redesign = (
  { services }: Pick<Installation, 'services'>,
  programId: number,
  statement: string,
  values: readonly unknown[] = [programId],
): Promise<unknown> =>
  transaction(services.pool, { accountId: null, programIds: [programId] }, (db) =>
    changeDesign(db, programId, () => db.executeQuery(CompiledQuery.raw(statement, [...values]))),
  )

/** Makes one change; what is impossible at the moment, such as a second open attempt, is left out. */
export const changeCompetencies = async (
  installation: Pick<Installation, 'owner' | 'services'>,
  { programId, students, lists }: Competing,
  { kind, number, value }: CompetencyChange,
): Promise<void> => {
  const { owner } = installation
  const student = students[number % students.length]
  const any = (table: string, where = 'true') =>
    `(select id from ${table} where program_id = $1 and ${where} order by (id * 7919 + ${value}) % 31, id limit 1)`
  const set = (table: string, what: string, where = 'true') =>
    owner
      .query(`update ${table} set ${what} where program_id = $1 and id = ${any(table, where)}`, [programId])
      .catch(refuseTaken)
  const setInLists = (table: string, what: string) =>
    redesign(
      installation,
      programId,
      `update ${table} set ${what} where program_id = $1 and id = ${any(table)}`,
    ).catch(refuseTaken)
  switch (kind) {
    case 'log':
      await owner.query(
        `insert into procedure_log (program_id, student_id, skill_id, level_id, date, count, key)
        select $1, $2, t.id, (select p.id from participation_level p where p.program_id = $1 and p.major_study_id = t.major_study_id
          order by (p.id + ${value}) % 3, p.id limit 1), date '2026-03-01' + ${value % 9}, ${1 + (value % 4)}, $3
        from skill t where t.program_id = $1 and t.id = ${any('skill')}`,
        [programId, student, randomUUID()],
      )
      break
    case 'verify':
      await set('procedure_log', "state = 'verified', decided_at = now()")
      break
    case 'return':
      await set('procedure_log', "state = 'returned', return_reason = 'x', decided_at = now()")
      break
    case 'remove':
      await set('procedure_log', 'deleted_at = now()')
      break
    case 'restore':
      await set('procedure_log', 'deleted_at = null')
      break
    case 'move':
      await set('procedure_log', `skill_id = ${any('skill')}`)
      break
    case 'attempt': {
      const { rows } = await owner.query(`select ${any('skill')} as id`, [programId])
      await makeAttempt(owner, programId, {
        studentId: student!,
        skillId: rows[0].id,
        state: value % 2 === 0 ? 'passed' : 'failed',
        isSimulated: value % 3 === 0,
      }).catch(refuseTaken)
      break
    }
    case 'decide':
      await set(
        'exam_attempt',
        value % 3 === 0
          ? "state = 'voided', ended_at = now()"
          : value % 3 === 1
            ? "state = 'passed', result = 'passed', ended_at = null"
            : "state = 'failed', result = 'failed', ended_at = null",
      )
      break
    case 'lab':
      await owner.query(
        `insert into lab_check (program_id, student_id, skill_id, checked_on, faculty_id)
        values ($1, $2, ${any('skill')}, date '2026-03-01', $2) on conflict do nothing`,
        [programId, student],
      )
      break
    case 'unlab':
      await set('lab_check', 'deleted_at = now()', 'deleted_at is null')
      break
    case 'needed':
      await setInLists('skill', `unlock_count = ${number % 6}`)
      break
    case 'mandatory':
      await setInLists('skill', 'is_mandatory = not is_mandatory')
      break
    case 'needs-lab':
      await setInLists('skill', 'needs_lab_check = not needs_lab_check')
      break
    case 'delete-skill':
      await setInLists('skill', 'deleted_at = now()')
      break
    case 'restore-skill':
      await setInLists('skill', 'deleted_at = null')
      break
    case 'count-level':
      await setInLists('participation_level', 'is_counted = not is_counted')
      break
    case 'own-level':
      await redesign(
        installation,
        programId,
        `insert into skill_participation_level (program_id, skill_id, level_id)
        select $1, t.id, p.id from skill t join participation_level p on p.program_id = t.program_id
          and p.major_study_id = t.major_study_id where t.program_id = $1 and t.id = ${any('skill')} limit 1
        on conflict do nothing`,
      )
      break
    case 'delete-level':
      await setInLists('participation_level', `deleted_at = ${number % 2 === 0 ? 'now()' : 'null'}`)
      break
    case 'rename-level':
      await setInLists('participation_level', `name = '${['Observed', 'Performed', 'Assisted'][number % 3]}'`)
      break
    case 'electives':
      await setInLists('competency_list', `electives_needed = ${number % 4}`)
      break
    case 'cohort':
      await owner.query('update account set cohort = $3 where program_id = $1 and id = $2', [
        programId,
        student,
        value % 2 === 0 ? 'A' : null,
      ])
      break
    case 'give-list':
      await redesign(
        installation,
        programId,
        `insert into competency_list_cohort (program_id, cohort, list_id) values ($1, 'A', $2)
        on conflict (program_id, cohort) do update set list_id = excluded.list_id`,
        [programId, lists[value % lists.length]],
      )
      break
    case 'lineage':
      await setInLists(
        'skill',
        `lineage = (select lineage from skill where program_id = $1 order by (id + ${number}) % 5, id limit 1)`,
      )
      break
    default:
      await owner.query('update account set deleted_at = $3 where program_id = $1 and id = $2', [
        programId,
        student,
        value % 3 === 0 ? new Date() : null,
      ])
  }
}

/** Names are taken, and two workers may number the same attempt: the database refuses the later one. */
const refuseTaken = (error: { code?: string }): void => {
  if (error.code !== '23505') throw error
}
