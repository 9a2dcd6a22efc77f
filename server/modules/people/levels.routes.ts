import { sql } from 'kysely'
import { Level } from '#contract/core/levels.ts'
import { peopleFailures } from '#contract/people/failures.ts'
import * as contract from '#contract/people/student-levels.ts'
import type { Db } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { fail, refuseMissing } from '#server/core/runtime/failure.ts'
import { assignLevels, clearLevels, saveLevelNames } from './levels.commands.ts'
import { listStudentLevels } from './people.queries.ts'

/** Templates of evaluations that name one of the levels, by title. */
const templatesOf = async (db: Db, programId: number, levels: readonly number[]) => {
  const { rows } = await sql<{ Id: number; Title: string }>`
    select t.id as "Id", t.title as "Title" from evaluation_template t
    where t.program_id = ${programId} and t.deleted_at is null and exists (
      select from evaluation_template_level l where l.program_id = t.program_id and l.template_id = t.id
        and l.level_id = any (${levels}::smallint[]))
    order by lower(t.title), t.id`.execute(db)
  return rows
}

/** A level with students is not cleared: nothing would bring back who had it. */
const refuseWhileHeld = async (db: Db, programId: number, levels: readonly number[]): Promise<void> => {
  const held = await students(db, programId)
    .select(sql<number>`count(*)::int`.as('count'))
    .where('student_level_id', 'in', levels)
    .executeTakeFirstOrThrow()
  if (held.count === 0) return
  const [who, have] = held.count === 1 ? ['1 student', 'has'] : [`${held.count} students`, 'have']
  throw fail(peopleFailures.level_in_use, { Who: who, Have: have, Count: held.count })
}

const students = (db: Db, programId: number) =>
  db
    .selectFrom('account')
    .where('program_id', '=', programId)
    .where('access_level', '=', Level.Student)
    .where('deleted_at', 'is', null)
    .where('deactivated_at', 'is', null)

export const levelRoutes = [
  handle(contract.saveStudentLevels, async ({ db, params: { programId }, body, audit }) => {
    const wrong = contract.levelWithComma(body)
    if (wrong !== undefined) throw fail(peopleFailures.comma, { Level: wrong }, 'Name')
    const before = await listStudentLevels(db, programId)
    const had = new Set(before.map(({ Id }) => Id))
    const cleared = body.filter(({ Id, Name }) => Name === '' && had.has(Id)).map(({ Id }) => Id)
    const templates = cleared.length > 0 ? await templatesOf(db, programId, cleared) : []
    if (templates.length > 0)
      throw fail(peopleFailures.level_in_templates, {
        Templates: templates.map(({ Title }) => Title).join(', '),
        Count: templates.length,
      })
    if (cleared.length > 0) await refuseWhileHeld(db, programId, cleared)
    audit.detail = { Before: before, After: body }
    if (cleared.length > 0) await clearLevels(db, programId, cleared)
    const named = body.filter(({ Name }) => Name !== '')
    if (named.length > 0) await saveLevelNames(db, programId, named)
  }),

  handle(contract.findLevelTemplates, ({ db, params: { programId }, body }) =>
    templatesOf(db, programId, body),
  ),

  handle(contract.listLevelAssignments, ({ db, params: { programId } }) =>
    students(db, programId)
      .select(['id as UserId', 'student_level_id as StudentLevelId'])
      .select(sql<string>`listed_name(last_name, first_name)`.as('UserFullName'))
      .orderBy(sql`lower(last_name)`)
      .orderBy(sql`lower(first_name)`)
      .orderBy('id')
      .execute(),
  ),

  handle(contract.saveLevelAssignments, async ({ db, params: { programId }, body, audit }) => {
    if (body.length === 0) return
    const labeled = new Set((await listStudentLevels(db, programId)).map(({ Id }) => Id))
    const bare = body.find(({ StudentLevelId }) => StudentLevelId !== null && !labeled.has(StudentLevelId))
    if (bare) throw fail(peopleFailures.no_label, { Level: bare.StudentLevelId ?? 0 }, 'StudentLevelId')
    const rows = await assignLevels(db, programId, body)
    refuseMissing(
      peopleFailures.no_students,
      body.map(({ UserId }) => UserId),
      rows.map(({ id }) => id),
    )
    audit.detail = { Before: rows.slice(0, 50), Students: rows.length }
  }),
]
