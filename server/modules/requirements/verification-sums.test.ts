import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import * as contract from '#contract/requirements/verifications.ts'
import { type MadeProgram, makePerson, makeProgram, makeRow, makeStudent } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { recount, wrongSums } from '#server/test/stored-sums.ts'
import { beginVerificationDays, checkVerifications } from './requirements.jobs.ts'
import { verificationSums } from './verification-sums.commands.ts'

let installation: Installation
beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())

interface Started {
  program: MadeProgram
  faculty: Caller
  students: number[]
}
const start = async (): Promise<Started> => {
  const { owner } = installation
  const program = await makeProgram(owner, { time_zone: 'UTC' })
  const faculty = await installation.as(await makePerson(owner, Level.Faculty, { program }))
  const students: number[] = []
  for (const [index, last_name] of ['Adams', 'Baker', 'adams', 'Clark', 'Adams'].entries()) {
    const made = await makeStudent(owner, program, { last_name, student_level_id: 1 + (index % 2) })
    students.push(made.Id)
  }
  return { program, faculty, students }
}

const statuses = ['complete', 'pending', 'failed', 'missing', 'waived']
const change = fc.record({
  kind: fc.constantFrom('add', 'add', 'add', 'change', 'give', 'rename', 'erase', 'leave', 'restore'),
  number: fc.nat(1_000),
  value: fc.nat(1_000),
})
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never

const apply = async ({ program, students }: Started, { kind, number, value }: Change): Promise<void> => {
  const { owner } = installation
  const student = students[number % students.length]
  const facts = {
    item: ['MMR', 'mmr', 'Hepatitis B', 'Tdap'][value % 4],
    vendor: ['Vaxline', 'Checkr'][value % 2],
    type: 1 + (value % 2),
    status: statuses[number % 5],
    days: number % 7 === 0 ? null : (value % 90) - 20,
  }
  const expires = facts.days === null ? 'null' : `current_date + ${facts.days}`
  // The one of the program's results that the number points to.
  const one = `(select id from verification where program_id = $1 order by (id * 7919 + ${number}) % 31, id limit 1)`
  const taken = await owner.query(
    `select from verification where program_id = $1 and type = $2 and student_id = $3 and lower(vendor) = lower($4)
      and lower(item) = lower($5) and deleted_at is null`,
    [program.Id, facts.type, student, facts.vendor, facts.item],
  )
  if (kind === 'add' && taken.rowCount === 0)
    await owner.query(
      `insert into verification (program_id, type, student_id, vendor, item, status, expires_on)
      values ($1, $2, $3, $4, $5, $6, ${expires})`,
      [program.Id, facts.type, student, facts.vendor, facts.item, facts.status],
    )
  else if (kind === 'change')
    await owner.query(
      `update verification set status = $2, expires_on = ${expires} where program_id = $1 and id = ${one}`,
      [program.Id, facts.status],
    )
  else if (kind === 'give' && taken.rowCount === 0)
    await owner.query(
      `update verification set type = $2, student_id = $3, vendor = $4, item = $5 where program_id = $1 and id = ${one}`,
      [program.Id, facts.type, student, facts.vendor, facts.item],
    )
  else if (kind === 'rename')
    await owner.query(`update verification set item = upper(item) where program_id = $1 and item = 'mmr'`, [
      program.Id,
    ])
  else if (kind === 'erase')
    await owner.query(`update verification set deleted_at = now() where program_id = $1 and id = ${one}`, [
      program.Id,
    ])
  else if (kind === 'leave' || kind === 'restore')
    await owner.query(
      `update account set deactivated_at = ${kind === 'leave' ? 'now()' : 'null'} where id = $1`,
      [student],
    )
}

const sorts = ['Vendor', 'Item', 'State', 'Ordered', 'Completed', 'Expires'] as const

/** What the two lists can be asked, each filter once for each type, from the first page to behind the last. */
const read = async ({ program, faculty }: Started) => {
  const params = { programId: program.Id }
  const answers = []
  for (const Type of [1, 2])
    for (const [index, Show] of [undefined, ...contract.verificationFilters].entries()) {
      const filter = [{}, { StudentLevelIds: [1] }, { search: 'ada' }][(index + Type) % 3]
      const query = { Type, ...filter, ...(Show && { Show }), pageSize: 4 }
      const isEven = index % 2 === 0
      for (const page of [1, 2, 4])
        answers.push(
          await faculty.ok(contract.listVerifications, {
            params,
            query: { ...query, sort: isEven ? 'Student' : '-Student', page },
          }),
        )
      answers.push(
        await faculty.ok(contract.listVerifiedStudents, {
          params,
          query: { ...query, sort: isEven ? '-Missing' : 'NextExpiry' },
        }),
      )
      // By what no student's row is in order of: two of the columns a filter, each up and down in the end.
      for (const [step, page] of [1, 3].entries()) {
        const column = sorts[(index * 2 + step + Type) % sorts.length]!
        const sort = isEven === (Type === 1) ? column : (`-${column}` as const)
        answers.push(
          await faculty.ok(contract.listVerifications, { params, query: { ...query, sort, page } }),
        )
      }
    }
  return answers
}

const forget = ({ program }: Started) =>
  installation.owner.query('delete from verification_day where program_id = $1', [program.Id])
const wrong = ({ program }: Started) => wrongSums(installation.owner, verificationSums, program.Id)

test('D1-162 D1-246 what is kept of verifications answers as counting by hand does, after any changes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 12, maxLength: 40 }), async (changes) => {
      const started = await start()
      for (const each of changes) await apply(started, each)
      expect(await wrong(started)).toEqual([])
      const kept = await read(started)
      await forget(started)
      expect(kept).toEqual(await read(started))
    }),
    { numRuns: 5, endOnFailure: true },
  )
}, 120_000)

test('D1-162 changes of the same program at the same moment are all kept', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 30, maxLength: 60 }), async (changes) => {
      const started = await start()
      const [some, others] = [changes.slice(0, changes.length / 2), changes.slice(changes.length / 2)]
      const one = async (list: readonly Change[]) => {
        for (const each of list)
          await apply(started, each).catch((error: { code?: string }) => {
            // The other has added the same meanwhile.
            if (error.code !== '23505') throw error
          })
      }
      await Promise.all([one(some), one(others)])
      expect(await wrong(started)).toEqual([])
    }),
    { numRuns: 4, endOnFailure: true },
  )
}, 120_000)

test('D1-162 on the next day the pages count by hand until the job has judged everybody anew', async () => {
  const started = await start()
  const { owner, services } = installation
  await makeRow(owner, 'verification', {
    program_id: started.program.Id,
    student_id: started.students[0],
    type: 2,
    vendor: 'Vaxline',
    item: 'MMR',
    status: 'complete',
    expires_on: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10),
  })
  const ofProgram = [started.program.Id]
  // As it was kept yesterday, when the result was still valid.
  await owner.query('update verification_day set day = day - 1 where program_id = $1', ofProgram)
  await owner.query(
    `update verification_standing set expired = 0, complete = 1, within60 = 1, within30 = 1, within7 = 1 where program_id = $1`,
    ofProgram,
  )
  const totals = async () =>
    (
      await started.faculty.ok(contract.listVerifiedStudents, {
        params: { programId: started.program.Id },
        query: { Type: 2 },
      })
    ).Totals
  expect(await totals()).toMatchObject({ Expired: 1, Complete: 0, Missing: 4 })
  await beginVerificationDays.work({}, services)
  expect(await wrong(started)).toEqual([])
  expect(await totals()).toMatchObject({ Expired: 1, Complete: 0, Missing: 4 })
  const { rows } = await owner.query(
    'select expired from verification_standing where program_id = $1',
    ofProgram,
  )
  expect(rows).toEqual([{ expired: 1 }])
})

test('the nightly proof names what is wrong, and a recount repairs it', async () => {
  const started = await start()
  const { owner, services } = installation
  await apply(started, { kind: 'add', number: 3, value: 1 })
  await expect(checkVerifications.work({}, services)).resolves.toBeUndefined()
  await owner.query('update verification_standing set open = open + 1 where program_id = $1', [
    started.program.Id,
  ])
  await expect(checkVerifications.work({}, services)).rejects.toThrow(
    `program ${started.program.Id}: 1 of verification_standing`,
  )
  await recount(installation, verificationSums, started.program.Id)
  await expect(checkVerifications.work({}, services)).resolves.toBeUndefined()
})
