import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { listNotifications } from '#contract/communication/notifications.ts'
import { Level } from '#contract/core/levels.ts'
import { type ImportResult, importIntoProgram, undoImport } from '#contract/imports/imports.ts'
import { exportEmployees } from '#contract/people/employees.ts'
import {
  cancelTask,
  getTask,
  getTaskFile,
  getTaskImport,
  listTasks,
  type TaskAnswer,
} from '#contract/tasks/tasks.ts'
import { exportHoursSummary } from '#contract/time/hours-summary.ts'
import { jobs } from '#server/app.ts'
import { readWorkbook } from '#server/core/files/xlsx-reader.ts'
import { runTask } from '#server/core/http/run-task.ts'
import { createTaskRunner } from '#server/core/runtime/task-process.ts'
import { routeOf } from '#server/prepared.ts'
import { type MadeProgram, makePerson, makeProgram, makeRow, makeSite } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { runTasks } from '#server/test/tasks.ts'
import { taskUpkeep } from './tasks.jobs.ts'

let installation: Installation
let program: MadeProgram
let director: { Id: number }
let own: Caller
beforeAll(async () => {
  installation = await startInstallation()
  program = await makeProgram(installation.owner)
  await addEmployees(20_001)
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  director = await makePerson(installation.owner, Level.Director, { program })
  own = await installation.as(director)
})

const addEmployees = async (count: number): Promise<void> => {
  const site = await makeSite(installation.owner, program)
  await installation.owner.query(
    `insert into employee (program_id, site_id, first_name, last_name, email)
     select $1, $2, 'First ' || n, 'Last ' || n, 'n' || n || '@example.org' from generate_series(1, $3) n`,
    [program.Id, site.Id, count],
  )
}
const ask = (Format: 'xlsx' | 'csv' = 'xlsx', caller = own) =>
  caller.send('GET', `/programs/${program.Id}/employees/export?Format=${Format}`)
const askForTask = async (): Promise<TaskAnswer['Task']> => {
  const { status, body } = await ask()
  expect(status, JSON.stringify(body).slice(0, 200)).toBe(202)
  return body.Task
}
const payloadOf = (task: { Id: number }) => ({ programId: program.Id, taskId: task.Id })
const stateOf = async ({ Id }: { Id: number }) => own.ok(getTask, { params: { taskId: Id } })
const download = (task: { Id: number }, caller = own) =>
  fetch(`${installation.url}/new/api/background-tasks/${task.Id}/file`, { headers: caller.headers })
const auditOf = async (action: string) =>
  (
    await installation.owner.query('select detail from audit where account_id = $1 and action = $2', [
      director.Id,
      action,
    ])
  ).rows
/** Keeps the employees from being read until it is let go. */
const hold = async (): Promise<() => Promise<void>> => {
  const client: pg.PoolClient = await installation.owner.connect()
  await client.query('begin; lock table employee in access exclusive mode')
  return async () => {
    await client.query('rollback')
    client.release()
  }
}
/** Only what hangs is ended by it. */
const patient = { timeout: 90_000 }
const exportAction = `${exportEmployees.method} ${exportEmployees.path}`

test('a workbook of 20,000 rows comes at once; one row more is prepared, kept, told of by the bell and handed out', async () => {
  const leaveOneOut = (isOut: boolean) =>
    installation.owner.query(
      `update employee set deleted_at = case when $2 then now() end where program_id = $1 and last_name = 'Last 1'`,
      [program.Id, isOut],
    )
  await leaveOneOut(true)
  const direct = await fetch(`${installation.url}/new/api/programs/${program.Id}/employees/export`, {
    headers: own.headers,
  })
  expect([direct.status, direct.headers.get('content-disposition')]).toEqual([
    200,
    expect.stringContaining('Employees.xlsx'),
  ])
  const rowsOf = async (answer: Response) => {
    const sheet = await readWorkbook(Buffer.from(await answer.arrayBuffer()), {
      fits: () => true,
      isPassedOver: () => false,
      rowLimit: 30_000,
    })
    return sheet.rowCount
  }
  expect(await rowsOf(direct)).toBe(20_001)
  // It is written behind the last byte, which may be read before.
  await vi.waitFor(async () => expect(await auditOf(exportAction)).toHaveLength(1), patient)

  await leaveOneOut(false)
  expect((await ask('csv')).status).toBe(200)
  const task = await askForTask()
  expect(task).toMatchObject({ Kind: 'file', Name: 'Employees.xlsx', State: 'queued', Done: 0, Total: null })
  expect((await download(task)).status).toBe(409)
  // Nobody has seen anything yet.
  expect(await auditOf(exportAction)).toHaveLength(2)
  await runTasks(installation)
  const done = await stateOf(task)
  expect(done).toMatchObject({ State: 'done', Done: 20_001, Total: 20_001, Error: '' })
  expect(Date.parse(done.ExpireDate!) - Date.parse(done.CreateDate)).toBeGreaterThan(86_399_000)
  const file = await download(task)
  expect([file.status, file.headers.get('content-disposition'), file.headers.get('cache-control')]).toEqual([
    200,
    expect.stringContaining('Employees.xlsx'),
    'no-store',
  ])
  expect(await rowsOf(file)).toBe(20_002)
  expect(await auditOf(exportAction)).toHaveLength(3)
  expect(await auditOf('GET /background-tasks/:taskId/file')).toEqual([
    { detail: { taskId: task.Id, Name: 'Employees.xlsx', Action: exportAction } },
  ])
  expect(await own.ok(listNotifications)).toMatchObject([
    {
      Text: expect.stringMatching(
        /^Employees\.xlsx is ready\. Download it until \d\d\/\d\d\/\d{4} \d\d:\d\d\.$/,
      ),
      Link: `/new/api/background-tasks/${task.Id}/file`,
    },
  ])
})

test('the same workbook asked for twice is one task; too many are refused', async () => {
  const first = await askForTask()
  expect((await askForTask()).Id).toBe(first.Id)
  await installation.owner.query(
    `insert into background_task (program_id, account_id, kind, action, input, address, name)
     select $1, $2, 'file', 'GET /x', '{}', '', 'x' from generate_series(1, 5)`,
    [program.Id, director.Id],
  )
  await own.ok(cancelTask, { params: { taskId: first.Id } })
  const refused = await ask()
  expect([refused.status, refused.body.Code]).toEqual([429, 'too_many_tasks'])
})

test('nobody else sees, cancels or downloads the task: not a colleague, not another program, not a super admin', async () => {
  const task = await askForTask()
  await runTasks(installation)
  const elsewhere = await makeProgram(installation.owner)
  const others = [
    await makePerson(installation.owner, Level.Director, { program }),
    await makePerson(installation.owner, Level.Director, { program: elsewhere }),
    await makePerson(installation.owner, Level.SuperAdmin, {}),
  ]
  const at = { params: { taskId: task.Id } }
  for (const other of others) {
    const caller = await installation.as(other)
    expect(await caller.ok(listTasks)).toEqual([])
    for (const endpoint of [getTask, cancelTask, getTaskFile])
      expect((await caller.call(endpoint, at)).status).toBe(404)
  }
  expect((await own.ok(listTasks)).map(({ Id }) => Id)).toEqual([task.Id])
  // Nor whoever finds the own session open: the export itself asks for the same.
  const provenUntil = (when: string) =>
    installation.owner.query(`update session set proven_at = ${when} where account_id = $1`, [director.Id])
  await provenUntil("now() - interval '6 minutes'")
  expect((await own.call(getTaskFile, at)).body).toMatchObject({ Code: 'proof_required' })
  await provenUntil("now() + interval '1 day'")
  expect((await own.call(getTaskImport, at)).status).toBe(404)
  expect((await own.send('GET', '/background-tasks/x')).status).toBe(400)
  expect((await installation.anonymous.call(listTasks)).status).toBe(401)
})

test('a level that is taken away before the worker begins ends the task, and one taken away afterwards keeps the file', async () => {
  const levelTo = (level: number) =>
    installation.owner.query('update account set access_level = $2 where id = $1', [director.Id, level])
  const before = await askForTask()
  await levelTo(Level.Student)
  await runTasks(installation)
  expect(await stateOf(before)).toMatchObject({
    State: 'failed',
    Error: 'Your role no longer allows this, so it was ended. Nothing was kept.',
  })
  expect((await own.ok(listNotifications))[0]?.Text).toContain('Employees.xlsx: Your role no longer')
  await levelTo(Level.Director)
  const after = await askForTask()
  await runTasks(installation)
  await levelTo(Level.Student)
  expect((await download(after)).status).toBe(403)
  await levelTo(Level.Director)
  expect((await download(after)).status).toBe(200)
})

test('somebody who only looks through another one’s screens starts no task and downloads none', async () => {
  const task = await askForTask()
  await runTasks(installation)
  const admin = await makePerson(installation.owner, Level.SuperAdmin, {})
  const viewer = await installation.as(admin)
  await installation.owner.query('update session set viewed_account_id = $2 where account_id = $1', [
    admin.Id,
    director.Id,
  ])
  expect((await ask('xlsx', viewer)).body.Code).toBe('viewing')
  expect((await download(task, viewer)).status).toBe(403)
})

test('a task is canceled while it waits or runs; nothing of it is kept, and a finished one stays', async () => {
  const waiting = await askForTask()
  await own.ok(cancelTask, { params: { taskId: waiting.Id } })
  await runTasks(installation)
  expect(await stateOf(waiting)).toMatchObject({ State: 'canceled' })

  const task = await askForTask()
  const letGo = await hold()
  const run = runTask(installation.services, routeOf, payloadOf(task))
  await vi.waitFor(async () => expect((await stateOf(task)).State).toBe('running'), patient)
  await own.ok(cancelTask, { params: { taskId: task.Id } })
  await run
  await letGo()
  expect(await stateOf(task)).toMatchObject({ State: 'canceled', ByteCount: null })
  expect((await download(task)).status).toBe(409)
  const again = await own.call(cancelTask, { params: { taskId: task.Id } })
  expect([again.status, (again.body as any).Code]).toEqual([409, 'finished'])
  expect(await own.ok(listNotifications)).toEqual([])
})

test('a process that is killed leaves nothing half done: the task is begun again, and after three times has failed', async () => {
  const task = await askForTask()
  const { services } = installation
  const runner = createTaskRunner(
    fileURLToPath(new URL('../../task.ts', import.meta.url)),
    services.pool.options.connectionString!,
  )
  const letGo = await hold()
  try {
    const killed = runner.run(payloadOf(task), services)
    await vi.waitFor(async () => expect((await stateOf(task)).State).toBe('running'), patient)
    process.kill(runner.processes()[0]!, 'SIGKILL')
    await killed
    expect((await stateOf(task)).State).toBe('queued')
  } finally {
    await letGo()
  }
  // One that dies before it takes its task gives it back at once, and not by a sweep of ten minutes.
  const jobsOf = async () =>
    (await installation.owner.query('select from graphile_worker.jobs where key = $1', [`task:${task.Id}`]))
      .rowCount
  await installation.owner.query('select graphile_worker.remove_job($1)', [`task:${task.Id}`])
  const unborn = createTaskRunner(
    fileURLToPath(new URL('../../no-such-program.ts', import.meta.url)),
    services.pool.options.connectionString!,
  )
  await unborn.run(payloadOf(task), services)
  expect([(await stateOf(task)).State, await jobsOf()]).toEqual(['queued', 1])

  await runner.run(payloadOf(task), services)
  expect(await stateOf(task)).toMatchObject({ State: 'done', Done: 20_001 })
  expect((await download(task)).status).toBe(200)

  const doomed = await askForTask()
  for (const attempts of [1, 2, 3]) {
    await installation.owner.query(
      `update background_task set state = 'running', attempts = $2, beat_at = now() - interval '2 minutes' where id = $1`,
      [doomed.Id, attempts],
    )
    await taskUpkeep.work({}, services)
    expect((await stateOf(doomed)).State).toBe(attempts < 3 ? 'queued' : 'failed')
  }
  expect((await stateOf(doomed)).Error).toBe(
    'It was interrupted several times. Nothing was kept. Start it again.',
  )
}, 180_000)

test('after a day the file is gone, first for its person and then from the store', async () => {
  const task = await askForTask()
  await runTasks(installation)
  await installation.owner.query(
    `update background_task set expires_at = now() - interval '1 second' where id = $1`,
    [task.Id],
  )
  const late = await own.call(getTaskFile, { params: { taskId: task.Id } })
  expect([late.status, (late.body as any).Code]).toEqual([404, 'expired'])
  const { rows } = await installation.owner.query('select result_key from background_task where id = $1', [
    task.Id,
  ])
  await taskUpkeep.work({}, installation.services)
  await expect(installation.services.files.read(rows[0].result_key)).rejects.toThrow(
    'no longer in the file store',
  )
  expect(await own.ok(listTasks)).toEqual([])
})

test('a PDF of more than 500 rows is prepared as well', async () => {
  await installation.owner.query(
    `insert into account (program_id, user_name, first_name, last_name, email, access_level, student_level_id)
     select $1::bigint, 'pdfperson' || n, 'First', 'Last ' || n, '', ${Level.Student}, 1 from generate_series(1, 501) n`,
    [program.Id],
  )
  const input = { params: { programId: program.Id }, query: { Format: 'pdf' as const } }
  const { status, body } = await own.call(exportHoursSummary, input)
  expect(status).toBe(202)
  const { Task } = body as unknown as TaskAnswer
  await runTasks(installation)
  expect(await stateOf(Task)).toMatchObject({ State: 'done', Name: 'Hours summary.pdf', Done: 501 })
  const file = await download(Task)
  expect(
    Buffer.from(await file.arrayBuffer())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-')
})

describe('large imports', () => {
  let where: MadeProgram
  let sender: Caller
  beforeEach(async () => {
    where = await makeProgram(installation.owner)
    sender = await installation.as(await makePerson(installation.owner, Level.Director, { program: where }))
  })
  const stateIn = ({ Id }: { Id: number }) => sender.ok(getTask, { params: { taskId: Id } })
  const sites = (count: number, from = 0) =>
    `Name,City,State,ZIPcode\n${Array.from({ length: count }, (_, n) => `Site ${from + n} of a long enough name,Springfield,IL,62701`).join('\n')}\n`
  const sendSites = (content: string, query: { DryRun?: boolean } = {}, headers = {}) =>
    sender.call(
      importIntoProgram,
      { params: { programId: where.Id }, query: { Kind: 'sites', ...query } },
      { files: [{ field: 'file', name: 'sites.csv', content }], headers },
    )
  const taskOf = ({ body }: { body: unknown }): TaskAnswer['Task'] => (body as TaskAnswer).Task

  test('a large import is checked and done by the worker, answers what it answered before, and the bell tells of its end', async () => {
    const content = sites(6_000)
    const check = await sendSites(content, { DryRun: true })
    expect(check.status).toBe(202)
    expect(taskOf(check)).toMatchObject({
      Kind: 'import',
      Name: 'sites.csv',
      Page: '/new/admin/imports?kind=sites',
    })
    expect((await sender.call(getTaskImport, { params: { taskId: taskOf(check).Id } })).status).toBe(409)
    await runTasks(installation)
    expect(await sender.ok(getTaskImport, { params: { taskId: taskOf(check).Id } })).toMatchObject({
      Rows: 6_000,
      Added: 6_000,
      ImportId: null,
    })
    expect(await sender.ok(listNotifications)).toEqual([])
    const key = { 'idempotency-key': 'one-import-0001' }
    const imported = await sendSites(content, {}, key)
    expect(taskOf(await sendSites(content, {}, key)).Id).toBe(taskOf(imported).Id)
    await runTasks(installation)
    const at = { params: { taskId: taskOf(imported).Id } }
    const { ImportId } = await sender.ok(getTaskImport, at)
    expect(ImportId).not.toBeNull()
    expect(await stateIn(taskOf(imported))).toMatchObject({ State: 'done', Done: 6_000, Total: 6_000 })
    expect((await sender.ok(listNotifications)).map(({ Text }) => Text)).toEqual(['sites.csv is imported.'])
    const { rows } = await installation.owner.query(
      'select count(*)::integer as sites from site where program_id = $1',
      [where.Id],
    )
    expect(rows).toEqual([{ sites: 6_000 }])
    // What pages read is kept at once, and not when its next turn comes.
    const asked = await installation.owner.query(
      "select from graphile_worker.jobs where key = 'core:catch-up'",
    )
    expect(asked.rowCount).toBe(1)
    const keptDays = async () =>
      (
        await installation.owner.query(
          'select count(*)::integer as days from attendance_day where program_id = $1',
          [where.Id],
        )
      ).rows[0].days
    expect(await keptDays()).toBe(0)
    await jobs.find(({ name }) => name === 'core:catch-up')!.work({}, installation.services)
    expect(await keptDays()).toBe(400)
  })

  test('the undo of a large import of people is the worker’s: it keeps whoever has records, and is told by the bell', async () => {
    const people = Array.from({ length: 1_500 }, (_, n) => `First ${n},Last ${n},p${n}@example.org`)
    const imported = await sender.call(
      importIntoProgram,
      { params: { programId: where.Id }, query: { Kind: 'students' } },
      {
        files: [
          {
            field: 'file',
            name: 'people.csv',
            content: `FirstName,LastName,EmailAddress\n${people.join('\n')}\n`,
          },
        ],
      },
    )
    const importId = (imported.body as ImportResult).ImportId!
    const undo = () => sender.call(undoImport, { params: { programId: where.Id, importId } })
    const living = async () =>
      (
        await installation.owner.query(
          'select count(*)::integer as people from account where import_id = $1 and deleted_at is null',
          [importId],
        )
      ).rows[0].people
    const { rows } = await installation.owner.query('select id from account where import_id = $1 limit 1', [
      importId,
    ])
    await makeRow(installation.owner, 'student_note', {
      program_id: where.Id,
      student_id: rows[0].id,
      text: 'Called in sick',
    })
    const done = await undo()
    expect([done.status, taskOf(done).Kind]).toEqual([202, 'undo'])
    await runTasks(installation)
    expect(await stateIn(taskOf(done))).toMatchObject({ State: 'done', Done: 1_500, Total: 1_500 })
    expect(await living()).toBe(1)
    const kept = await installation.owner.query(
      "select id from account where import_id = $1 and concat(first_name, last_name, email, phone) <> ''",
      [importId],
    )
    expect(kept.rows).toEqual([{ id: rows[0].id }])
    expect((await sender.ok(listNotifications))[0]!.Text).toBe(
      'people.csv is undone: what it added is gone and what it changed is back, except rows that were changed or used since.',
    )
    expect((await undo()).status).toBe(409)
  })

  test('a large import with a wrong row answers the refusal with its rows, and the uploads are deleted', async () => {
    const sent = await sendSites(`${sites(6_000)},No name,IL,62701\n`)
    await runTasks(installation)
    const refused = await sender.call(getTaskImport, { params: { taskId: taskOf(sent).Id } })
    expect([refused.status, refused.body]).toMatchObject([422, { Code: 'rows_refused', ErrorCount: 1 }])
    expect(await stateIn(taskOf(sent))).toMatchObject({
      State: 'failed',
      Error: expect.stringMatching(/^Nothing was imported/),
    })
    const { rows } = await installation.owner.query(
      'select upload_key as key from background_task where program_id = $1',
      [where.Id],
    )
    await expect(installation.services.files.read(rows[0].key)).rejects.toThrow('no longer in the file store')
  })

  test('an import that is canceled while it writes changes nothing', async () => {
    const sent = await sendSites(sites(6_000))
    const client = await installation.owner.connect()
    await client.query('begin; lock table site in share mode')
    const run = runTask(installation.services, routeOf, { programId: where.Id, taskId: taskOf(sent).Id })
    await vi.waitFor(async () => expect((await stateIn(taskOf(sent))).Total).toBe(6_000), patient)
    await sender.ok(cancelTask, { params: { taskId: taskOf(sent).Id } })
    await run
    await client.query('rollback')
    client.release()
    const { rows } = await installation.owner.query(
      'select count(*)::integer as sites from site where program_id = $1',
      [where.Id],
    )
    expect(rows).toEqual([{ sites: 0 }])
  })

  test('who may not import leaves no upload behind', async () => {
    const before: string[] = []
    for await (const { key } of installation.services.files.list()) before.push(key)
    const student = await installation.as(
      await makePerson(installation.owner, Level.Student, { program: where }),
    )
    const refused = await student.call(
      importIntoProgram,
      { params: { programId: where.Id }, query: { Kind: 'sites' } },
      { files: [{ field: 'file', name: 'sites.csv', content: sites(6_000) }] },
    )
    expect(refused.status).toBe(403)
    const after: string[] = []
    for await (const { key } of installation.services.files.list()) after.push(key)
    expect(after).toEqual(before)
  })
})
