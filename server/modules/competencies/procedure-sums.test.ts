import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeStudent } from '#server/test/factories.ts'
import { type Installation, startInstallation } from '#server/test/installation.ts'
import { type Logging, startLogging } from '#server/test/procedure-logging.ts'
import { raceChanges } from '#server/test/racing.ts'
import { recount, wrongSums } from '#server/test/stored-sums.ts'
import { procedureSums } from './competency-sums.commands.ts'
import { checkProcedureSums } from './sums.jobs.ts'

let installation: Installation
beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())

const change = fc.record({
  kind: fc.constantFrom(
    'add',
    'add',
    'add',
    'count',
    'move',
    'verify',
    'return',
    'reopen',
    'remove',
    'restore',
  ),
  number: fc.nat(1_000),
  value: fc.nat(1_000),
})
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never

const apply = async (
  { program, routine, ribs, observed, performed, site, other }: Logging,
  students: readonly number[],
  { kind, number, value }: Change,
): Promise<void> => {
  const { owner } = installation
  const skill = [routine, ribs][value % 2]
  const level = [observed, performed, null][number % 3]
  const one = `id = (select id from procedure_log where program_id = $1 order by (id * 7919 + ${number}) % 31, id limit 1)`
  const set = (what: string) =>
    owner.query(`update procedure_log set ${what} where program_id = $1 and ${one}`, [program.Id])
  if (kind === 'add')
    await owner.query(
      `insert into procedure_log (program_id, student_id, skill_id, level_id, date, count, key, site_id)
      values ($1, $2, $3, $4, date '2026-03-01' + $5::int, $6, $7, $8)`,
      [
        program.Id,
        students[number % students.length],
        skill,
        level,
        value % 9,
        1 + (value % 5),
        randomUUID(),
        [site.Id, other.Id, null][value % 3],
      ],
    )
  else if (kind === 'count') await set(`count = ${1 + (value % 9)}, date = date '2026-03-01' + ${number % 9}`)
  else if (kind === 'move') await set(`skill_id = ${skill}, level_id = ${level ?? 'null'}`)
  else if (kind === 'verify') await set("state = 'verified', decided_at = now()")
  else if (kind === 'return') await set("state = 'returned', return_reason = 'x', decided_at = now()")
  else if (kind === 'reopen') await set("state = 'submitted', decided_at = null")
  else if (kind === 'remove') await set('deleted_at = now()')
  else await set('deleted_at = null')
}

const wrong = async (programId: number): Promise<number> => {
  const rows = await wrongSums(installation.owner, procedureSums, programId)
  return rows.reduce((sum, { keys }) => sum + keys, 0)
}

test('whatever is logged, changed, decided and deleted, the sums are those of a recount', {
  timeout: 120_000,
}, async () => {
  const at = await startLogging(installation)
  const students = [at.student.Id, (await makeStudent(installation.owner, at.program)).Id]
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { minLength: 5, maxLength: 30 }),
      fc.integer({ min: 1, max: 4 }),
      async (changes, workers) => {
        await raceChanges(installation, changes, (each) => apply(at, students, each), workers)
        expect(await wrong(at.program.Id)).toBe(0)
      },
    ),
    { numRuns: 25 },
  )
  const { rows } = await installation.owner.query(
    'select count(*) as rows from procedure_sum where program_id = $1',
    [at.program.Id],
  )
  expect(rows[0].rows).toBeGreaterThan(0)
})

test('students who log the same procedures at one site at once are all counted without a deadlock', async () => {
  const at = await startLogging(installation)
  const { owner } = installation
  const deadlocks = async () => {
    const { rows } = await owner.query(
      'select deadlocks from pg_stat_database where datname = current_database()',
    )
    return rows[0].deadlocks
  }
  const before = await deadlocks()
  const logDay = async (skills: readonly number[]) => {
    const { Id } = await makeStudent(owner, at.program)
    const client = await owner.connect()
    try {
      await client.query('begin')
      for (const skill of skills)
        await client.query(
          `insert into procedure_log (program_id, student_id, skill_id, date, count, key, site_id)
          values ($1, $2, $3, '2026-03-02', 1, $4, $5)`,
          [at.program.Id, Id, skill, randomUUID(), at.site.Id],
        )
      await client.query('commit')
    } finally {
      client.release()
    }
  }
  // Each half logs them in its own order.
  await Promise.all(
    Array.from({ length: 24 }, (_, n) => logDay(n % 2 ? [at.routine, at.ribs] : [at.ribs, at.routine])),
  )
  await owner.query('select pg_stat_force_next_flush()')
  expect(await deadlocks()).toBe(before)
  expect(await wrong(at.program.Id)).toBe(0)
})

test('a wrong sum is found by its program, and recounted', async () => {
  const at = await startLogging(installation)
  await at.log({ Count: 3 })
  const check = () => checkProcedureSums.work({}, installation.services)
  await check()
  await installation.owner.query('update procedure_sum set verified = 99 where program_id = $1', [
    at.program.Id,
  ])
  await expect(check()).rejects.toThrow(`program ${at.program.Id}: 1 of procedure_sum`)
  await recount(installation, procedureSums, at.program.Id)
  await check()
  expect(await wrong(at.program.Id)).toBe(0)
})
