import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAudit } from '#contract/audit/audit.ts'
import { type DataChange, listChanges } from '#contract/changes/changes.ts'
import { Level } from '#contract/core/levels.ts'
import { createApiKey } from '#contract/keys/keys.ts'
import { deactivateUser } from '#contract/people/people.ts'
import { listShiftAssignments } from '#contract/scheduling/assignments.ts'
import { approveTimeRecords } from '#contract/time/approvals.ts'
import { deleteTimeRecord, listTimeRecords } from '#contract/time/time-records.ts'
import {
  type MadeProgram,
  makePerson,
  makeProgram,
  makeRow,
  makeSite,
  makeStudent,
} from '#server/test/factories.ts'
import { type Caller, type Installation, settle, startInstallation } from '#server/test/installation.ts'
import { tidyChanges } from './changes.jobs.ts'

let installation: Installation
let program: MadeProgram
let admin: Caller
let student: { Id: number }
let siteId: number
beforeAll(async () => {
  installation = await startInstallation()
  const { owner } = installation
  program = await makeProgram(owner)
  admin = await installation.as(await makePerson(owner, Level.Admin, { program }))
  student = await makeStudent(owner, program)
  siteId = (await makeSite(owner, program)).Id
})
afterAll(() => installation?.stop())

const inProgram = () => ({ params: { programId: program.Id } })
type ChangeQuery = { after?: string; pageSize?: number; Kinds?: DataChange['Kind'][] }
const changesAtOnce = (query: ChangeQuery = {}) => admin.ok(listChanges, { ...inProgram(), query })
const changes = async (query: ChangeQuery = {}) => {
  await settle(installation.owner)
  return changesAtOnce(query)
}
const now = async () => (await changes()).NextCursor
const told = ({ Items }: { Items: DataChange[] }) =>
  Items.map(({ Kind, Id, IsDeleted }) => [Kind, Id, IsDeleted])
const refusedWith = async (after: string) => {
  const { status, body } = await admin.call(listChanges, { ...inProgram(), query: { after } })
  return [status, (body as { Code?: string }).Code]
}
const record = async (at: string) =>
  Number(
    (
      await makeRow(installation.owner, 'time_record', {
        program_id: program.Id,
        student_id: student.Id,
        site_id: siteId,
        kind: 'exception',
        occurred_at: `${at}T12:00:00Z`,
        date: at,
        minutes: 60,
      })
    ).id,
  )

test('what is added, changed and deleted is told once after a cursor, and nothing after the next', async () => {
  const begin = await now()
  const id = await record('2026-10-05')
  const added = await changes({ after: begin })
  expect(told(added)).toEqual([['time-record', id, false]])
  expect(added.Items[0]!.StudentId).toBe(student.Id)
  const before = await admin.ok(listTimeRecords, { ...inProgram(), query: {} })
  await admin.ok(approveTimeRecords, { ...inProgram(), body: { Ids: [id] } })
  expect(told(await changes({ after: added.NextCursor }))).toEqual([['time-record', id, false]])
  const after = await admin.ok(listTimeRecords, { ...inProgram(), query: {} })
  const dateIn = ({ Items }: typeof before) => Date.parse(Items.find(({ Id }) => Id === id)!.ModifiedAt)
  expect(dateIn(after)).toBeGreaterThan(dateIn(before))

  const approved = await now()
  await admin.ok(deleteTimeRecord, { params: { programId: program.Id, recordId: id } })
  const colleague = await makePerson(installation.owner, Level.Faculty, { program })
  await admin.ok(deactivateUser, { params: { programId: program.Id, userId: colleague.Id } })
  const all = await changes({ after: approved })
  expect(told(all)).toEqual([
    ['time-record', id, true],
    ['person', colleague.Id, false],
    ['person', colleague.Id, false],
  ])
  expect(told(await changes({ after: approved, Kinds: ['person'] }))).toHaveLength(2)
  expect(await changes({ after: all.NextCursor })).toMatchObject({ Items: [], HasMore: false })

  // One at a time they are the same.
  const single: unknown[] = []
  for (let cursor: string | undefined = approved; cursor; ) {
    const page = await changes({ after: cursor, pageSize: 1 })
    single.push(...told(page))
    cursor = page.HasMore ? page.NextCursor : undefined
  }
  expect(single).toEqual(told(all))
})

test('while many write at once, and commit in another order than they began, no change is skipped and none comes twice', async () => {
  const { owner } = installation
  const begin = await now()
  const writers = 6
  const rounds = 15
  const written: number[] = []
  // A student's time has one writer at a time.
  const students: number[] = []
  for (let each = 0; each < writers; each++) students.push((await makeStudent(owner, program)).Id)
  let isWriting = true
  const write = async (writer: number) => {
    const client = await owner.connect()
    try {
      for (let round = 0; round < rounds; round++) {
        await client.query('begin')
        const { rows } = await client.query(
          `insert into time_record (program_id, student_id, site_id, kind, occurred_at, date)
           values ($1, $2, $3, 'exception', $4, '2026-09-01') returning id`,
          [program.Id, students[writer], siteId, `2026-09-01T12:00:${String(writer).padStart(2, '0')}Z`],
        )
        // The later its number, the sooner it is saved.
        await client.query('select pg_sleep($1)', [((writers - writer) * (round % 3)) / 200])
        await client.query('commit')
        written.push(Number(rows[0].id))
      }
    } finally {
      client.release()
    }
  }
  const seen: number[] = []
  const read = async () => {
    let cursor = begin
    const page = async () => {
      const found = await changesAtOnce({ after: cursor, pageSize: 3 })
      seen.push(...found.Items.filter(({ Kind }) => Kind === 'time-record').map(({ Id }) => Id))
      cursor = found.NextCursor
      return found.HasMore
    }
    while (isWriting) await page()
    await settle(installation.owner)
    while (await page());
  }
  const reading = read()
  // Six writers use up the pool of the owner: the reader has the one of the product.
  await Promise.all(Array.from({ length: writers }, (_none, writer) => write(writer)))
  isWriting = false
  await reading
  expect(written).toHaveLength(writers * rounds)
  expect(seen.toSorted((a, b) => a - b)).toEqual(written.toSorted((a, b) => a - b))
})

test('a transaction that still runs holds back those after it, so that it is not skipped', async () => {
  const client = new pg.Client({ connectionString: installation.services.ownerUrl })
  await client.connect()
  try {
    const other = await makeStudent(installation.owner, program)
    const begin = await now()
    await client.query('begin')
    const { rows } = await client.query(
      `insert into time_record (program_id, student_id, site_id, kind, occurred_at, date)
       values ($1, $2, $3, 'exception', '2026-09-02T12:00:00Z', '2026-09-02') returning id`,
      [program.Id, other.Id, siteId],
    )
    const later = await record('2026-09-03')
    const meanwhile = await changesAtOnce({ after: begin })
    expect(meanwhile.Items).toEqual([])
    await client.query('commit')
    expect(told(await changes({ after: meanwhile.NextCursor }))).toEqual([
      ['time-record', Number(rows[0].id), false],
      ['time-record', later, false],
    ])
  } finally {
    await client.end()
  }
})

test('a spoiled cursor is refused wherever one is taken, and one older than what is kept is expired', async () => {
  const begin = await now()
  for (const after of ['nonsense', `${begin}1x`, begin.replace('.', '.9')])
    expect(await refusedWith(after), after).toEqual([400, 'invalid'])
  for (const call of [listTimeRecords, listShiftAssignments, listAudit])
    expect(
      (await admin.call(call, { ...inProgram(), query: { cursor: 'nonsense' } })).status,
      call.path,
    ).toBe(400)

  await record('2026-09-04')
  const { owner } = installation
  await owner.query(`update domain_event set at = at - interval '61 days' where program_id = $1`, [
    program.Id,
  ])
  // What nobody has heard yet is kept.
  await installation.hear()
  await tidyChanges.work({}, installation.services)
  expect(await refusedWith(begin)).toEqual([400, 'expired'])
  expect(await changes({ after: await now() })).toMatchObject({ Items: [] })
  const present = await now()
  await owner.query('insert into restored_copy (backup_at) values (now())')
  await owner.query('delete from restored_copy')
  expect(await refusedWith(present)).toEqual([400, 'expired'])
})

test('a key is told the kinds that it may read; anonymous evaluations are told to nobody, nor another program', async () => {
  const { owner } = installation
  const begin = await now()
  const ask = async (title: string, is_anonymous: boolean) => {
    const template = await makeRow(owner, 'evaluation_template', {
      program_id: program.Id,
      title,
      evaluator_role: is_anonymous ? 'anonymous' : 'supervisor',
      subject_role: 'student',
      is_anonymous,
    })
    const { id } = await makeRow(owner, 'evaluation', {
      program_id: program.Id,
      template_id: template.id,
      evaluator_id: null,
      subject_id: student.Id,
      date: '2026-01-01',
    })
    return Number(id)
  }
  await ask('Anonymous', true)
  const evaluation = await ask('Named', false)
  const hours = await record('2026-09-05')
  expect(told(await changes({ after: begin }))).toEqual([
    ['evaluation', evaluation, false],
    ['time-record', hours, false],
  ])

  const key = async (...Rights: string[]) => {
    const { Key } = await admin.ok(createApiKey, {
      ...inProgram(),
      body: { Name: Rights.join(), Rights: Rights as never, ExpireDays: 1 },
    })
    const { status, body } = await installation.anonymous.call(
      listChanges,
      { ...inProgram(), query: { after: begin } },
      { headers: { authorization: `Bearer ${Key}` } },
    )
    return status === 200 ? told(body) : status
  }
  expect(await key('changes.read', 'time.read')).toEqual([['time-record', hours, false]])
  expect(await key('changes.read')).toEqual([])
  expect(await key('time.read')).toBe(403)

  const faculty = await installation.as(await makePerson(owner, Level.Faculty, { program }))
  expect((await faculty.call(listChanges, inProgram())).status).toBe(403)
  const elsewhere = await makeProgram(owner)
  expect((await admin.call(listChanges, { params: { programId: elsewhere.Id } })).status).toBe(404)
})
