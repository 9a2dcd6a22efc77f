import { onConnection } from '#server/core/database/pool.ts'
import { makeTwoYears } from '#server/demo/history.ts'
import { competencySums, procedureSums } from '#server/modules/competencies/competency-sums.commands.ts'
import type { Installation } from './installation.ts'

/**
 * Gives a program that is not among the largest, which have them, eighty procedures and two years of logs and exams, and its list
 * term targets. Answers the list.
 */
export const fillCompetencies = async (at: Installation, programId: number): Promise<number> => {
  const { rows } = await at.owner.query<{ list: number; procedures: number }>(
    `select m.list_id::integer as list, (select count(*)::integer from skill where program_id = $1 and deleted_at is null) as procedures
    from major_study m where m.program_id = $1 and m.deleted_at is null order by m.id limit 1`,
    [programId],
  )
  // The demo gives every program a list.
  const { list, procedures } = rows[0]!
  if (procedures < 80) {
    for (const table of ['procedure_log', 'exam_attempt'])
      await at.owner.query(`alter table ${table} disable trigger user`)
    await makeTwoYears(at.owner, programId)
    for (const table of ['procedure_log', 'exam_attempt'])
      await at.owner.query(`alter table ${table} enable trigger user`)
    const client = await at.owner.connect()
    await client.query('begin')
    for (const sums of [procedureSums, competencySums]) await sums.recount(onConnection(client), programId)
    await client.query('commit')
    client.release()
  }
  await at.owner.query(
    `insert into competency_term_target (program_id, list_id, name, from_date, through_date, exams)
    values ($1, $2, 'Clinical I', current_date - 200, current_date - 90, 8),
      ($1, $2, 'Clinical II', current_date - 80, current_date + 30, 12)`,
    [programId, list],
  )
  await at.owner.query(
    'vacuum analyze procedure_log, procedure_sum, procedure_site_week, competency_standing, skill',
  )
  return list
}
