import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { acrossPrograms } from '#server/core/database/across.ts'
import { transaction } from '#server/core/database/pool.ts'
import { type MadeProgram, makePerson, makeProgram } from '#server/test/factories.ts'
import { type Installation, startInstallation } from '#server/test/installation.ts'
import { findFreeUserName, freeName } from './user-names.across.ts'

let installation: Installation
let program: MadeProgram
beforeAll(async () => {
  installation = await startInstallation()
  program = await makeProgram(installation.owner)
})
afterAll(() => installation?.stop())

/** Found as the role that serves: names of other programs count, although their accounts are hidden. */
const free = (first: string, last: string) =>
  transaction(installation.services.pool, { accountId: null, programIds: [] }, (db) =>
    findFreeUserName(db, { firstName: first, lastName: last }),
  )
const take = (...names: string[]) =>
  Promise.all(names.map((user_name) => makePerson(installation.owner, Level.Student, { program, user_name })))

test('the lowest free number is found whatever the number of names before it, in capitals or not', async () => {
  expect(await free('Ada', 'Quill')).toBe('aquill')
  await take('AQuill')
  for (let count = 2; count <= 20; count++) {
    expect(await free('Ada', 'Quill')).toBe(`aquill${count}`)
    await take(`aquill${count}`)
  }
})

test('among numbers that somebody chose a free one is found', async () => {
  await take('bquill', 'bquill2', 'bquill4', 'bquill7', 'bquill8', 'bquill16', 'bquill1000')
  const name = await free('Ben', 'Quill')
  const { rows } = await installation.owner.query('select 1 from account where lower(user_name) = $1', [name])
  expect([name, rows]).toEqual([expect.stringMatching(/^bquill\d+$/), []])
})

test('with five thousand of one stem a name costs a few looks', async () => {
  await installation.owner.query(
    `insert into account (program_id, user_name, access_level, first_name, last_name, email)
      select $1, 'cquill' || case n when 1 then '' else n::text end, 39, 'Cleo', 'Quill', '' from generate_series(1, 5000) n`,
    [program.Id],
  )
  expect(await free('Cleo', 'Quill')).toBe('cquill5001')
  const rows = await acrossPrograms(
    installation.services.pool,
    sql<{ 'QUERY PLAN': string }>`explain (analyze, buffers, costs off) ${freeName('cquill')}`,
  )
  const blocks = /shared hit=(\d+)/.exec(rows.map((row) => row['QUERY PLAN']).join('\n'))?.[1]
  expect(Number(blocks)).toBeLessThan(500)
})
