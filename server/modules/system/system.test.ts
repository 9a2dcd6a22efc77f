import { createServer as createHttpServer, type Server } from 'node:http'
import { type AddressInfo, createServer, type Server as NetServer } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { getGlobals } from '#contract/session/session.ts'
import {
  endRestoredCopy,
  getSystemStatus,
  type SystemPartKey,
  testSystemPart,
} from '#contract/system/system.ts'
import { transaction } from '#server/core/database/pool.ts'
import { openFileStore } from '#server/core/files/files.ts'
import { post, sendMail } from '#server/core/mail/mail.ts'
import { readOutsideParts } from '#server/core/runtime/installation.across.ts'
import { startWorker } from '#server/core/runtime/jobs.ts'
import { beatWorkers } from '#server/core/runtime/worker-beats.ts'
import { makePerson, makeProgram, makeRow, makeStudent } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { pictures, standInConverter } from '#server/test/pictures.ts'
import { jobs } from '../../app.ts'
import { reasonOf } from './parts.service.ts'
import { beat, checkParts, systemJobs } from './system.jobs.ts'

let installation: Installation
let superAdmin: Caller
const servers: (Server | NetServer)[] = []

const portOf = async (server: Server | NetServer): Promise<number> => {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
/** A server that speaks a line protocol: what it answers to each line. */
const lineServer = (greeting: string, answer: (line: string) => string | undefined) =>
  createServer((socket) => {
    socket.on('error', () => {})
    if (greeting) socket.write(greeting)
    socket.on('data', (data) => {
      for (const line of data.toString().split(/\r\n|\0/)) {
        const text = line && answer(line)
        if (text) socket.write(text)
      }
    })
  })
/** Has the installation set otherwise while the work goes on. */
const configured = async <T>(changes: object, work: () => Promise<T>): Promise<T> => {
  const { services } = installation
  const before = services.config
  services.config = { ...before, ...changes }
  try {
    return await work()
  } finally {
    services.config = before
  }
}
const testOf = (part: SystemPartKey) => superAdmin.ok(testSystemPart, { params: { part } })
const partOf = async (key: SystemPartKey) => {
  const { Parts } = await superAdmin.ok(getSystemStatus)
  return Parts.find(({ Key }) => Key === key)!
}

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})
beforeAll(async () => {
  installation = await startInstallation()
  superAdmin = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
})
afterAll(async () => {
  await installation?.stop()
  for (const server of servers) server.close()
})

test('what is not set is told as not used, and cannot be tested', async () => {
  vi.stubEnv('PATH', '')
  const { Parts, Outside } = await superAdmin.ok(getSystemStatus)
  const states = Object.fromEntries(Parts.map(({ Key, State }) => [Key, State]))
  expect(states).toMatchObject({ replica: 'off', scanner: 'off', traces: 'off', maps: 'off', heic: 'off' })
  expect(Outside.find(({ Kind }) => Kind === 'webhook')).toEqual({ Kind: 'webhook', FailingCount: 0 })
  const refused = await superAdmin.call(testSystemPart, { params: { part: 'scanner' } })
  expect([refused.status, refused.body]).toMatchObject([422, { Code: 'part_off' }])
})

test('only super admins with the settings look at it', async () => {
  const program = await makeProgram(installation.owner)
  for (const level of [Level.Coord, Level.Student]) {
    const caller = await installation.as(await makePerson(installation.owner, level, { program }))
    expect((await caller.call(getSystemStatus)).status).toBe(403)
    expect((await caller.call(testSystemPart, { params: { part: 'database' } })).status).toBe(403)
  }
  expect((await superAdmin.send('POST', '/system-status/coffee/tests')).status).toBe(400)
})

test('the database and the file store are tested by what they are for, and what was found is kept', async () => {
  expect((await testOf('database')).Steps.map(({ Name, IsOk }) => [Name, IsOk])).toEqual([
    ['answer', true],
    ['changes', true],
  ])
  const { Steps } = await testOf('files')
  expect(Steps.map(({ Name, IsOk }) => [Name, IsOk])).toEqual([
    ['write', true],
    ['read', true],
    ['remove', true],
  ])
  const left: string[] = []
  for await (const { key } of installation.services.files.list()) left.push(key)
  expect(left).toEqual([])
  expect(await partOf('files')).toMatchObject({ State: 'working', LastError: '', Setting: 'FILES_URL' })
  const { Figures } = await partOf('database')
  expect(Figures.map(({ Name }) => Name)).toEqual(['version', 'size'])
})

test('clocks that disagree are told: of server and database, and of most devices', async () => {
  vi.setSystemTime(Date.now() - 6 * 3_600_000)
  const apart = (await testOf('time')).Steps.at(-1)
  vi.useRealTimers()
  expect(apart).toMatchObject({
    Name: 'clock',
    IsOk: false,
    Detail: expect.stringMatching(/360 minutes apart/),
  })
  const program = await makeProgram(installation.owner)
  const student = await makeStudent(installation.owner, program)
  const mark = (Code: string) =>
    makeRow(installation.owner, 'time_record', {
      program_id: program.Id,
      student_id: student.Id,
      kind: 'in',
      occurred_at: new Date().toISOString(),
      date: new Date().toISOString().slice(0, 10),
      reasons: JSON.stringify([{ Code }]),
    })
  for (let made = 0; made < 4; made++) await mark('clock_off')
  expect((await testOf('time')).IsOk).toBe(true)
  await mark('clock_off')
  expect(await testOf('time')).toMatchObject({
    IsOk: false,
    Steps: [{ Detail: expect.stringMatching(/^5 of 5 punches of the last day/) }],
  })
  for (let made = 0; made < 5; made++) await mark('no_position')
  expect((await testOf('time')).IsOk).toBe(true)
})

test('a file store that loses what it takes fails, says at which step, and works again afterwards', async () => {
  const { services } = installation
  const store = services.files
  services.files = { ...store, place: async () => {} }
  const failed = await testOf('files').finally(() => {
    services.files = store
  })
  expect(failed.IsOk).toBe(false)
  expect(failed.Steps.map(({ Name, IsOk }) => [Name, IsOk])).toEqual([
    ['write', true],
    ['read', false],
  ])
  expect(await partOf('files')).toMatchObject({ State: 'failing', LastError: failed.Steps[1]!.Detail })
  await testOf('files')
  expect(await partOf('files')).toMatchObject({ State: 'working', LastError: failed.Steps[1]!.Detail })
})

test('the mail server is signed in to, takes an email for whoever tests, and its password is told to nobody', async () => {
  const lines: string[] = []
  const port = await portOf(
    lineServer('220 relay ready\r\n', (line) => {
      lines.push(line)
      if (line.startsWith('EHLO')) return '250-relay\r\n250 AUTH PLAIN\r\n'
      if (line.startsWith('AUTH')) return '235 in\r\n'
      if (line === 'DATA') return '354 go on\r\n'
      if (/^(MAIL|RCPT|QUIT)/.test(line) || line === '.') return '250 fine\r\n'
    }),
  )
  await configured({ smtpUrl: `smtp://practicum:hunter2@127.0.0.1:${port}` }, async () => {
    const { IsOk, Steps } = await testOf('mail')
    expect(IsOk, JSON.stringify(Steps)).toBe(true)
    expect(Steps.map(({ Name }) => Name)).toEqual(['signIn', 'message'])
    expect(lines).toContain('Subject: Test of the mail server')
    const status = await superAdmin.ok(getSystemStatus)
    expect(status.Parts.find(({ Key }) => Key === 'mail')).toMatchObject({
      Place: `smtp://127.0.0.1:${port}`,
      State: 'attention',
    })
    expect(JSON.stringify(status)).not.toContain('hunter2')
  })
  await configured({ smtpUrl: `smtp://127.0.0.1:${await closedPort()}` }, async () => {
    const { IsOk, Steps } = await testOf('mail')
    expect([IsOk, Steps.length, Steps[0]?.Detail]).toEqual([
      false,
      1,
      expect.stringContaining('ECONNREFUSED'),
    ])
  })
})

/** A port that nothing listens on. */
const closedPort = async (): Promise<number> => {
  const server = createServer()
  const port = await portOf(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

test('the virus scanner answers a ping and says its version', async () => {
  const port = await portOf(
    lineServer('', (line) =>
      line === 'zPING' ? 'PONG\0' : line === 'zVERSION' ? 'ClamAV 1.4.3\0' : undefined,
    ),
  )
  // It closes after each answer, as clamd does.
  servers.at(-1)!.on('connection', (socket) => socket.on('data', () => socket.end()))
  await configured({ virusScannerUrl: `clamd://127.0.0.1:${port}` }, async () =>
    expect((await testOf('scanner')).Steps.at(-1)).toEqual({
      Name: 'version',
      IsOk: true,
      Detail: 'ClamAV 1.4.3',
    }),
  )
})

test('the collector of traces and the map pictures are asked as they will be', async () => {
  const asked: string[] = []
  const port = await portOf(
    createHttpServer((request, response) => {
      asked.push(`${request.method} ${request.url}`)
      if (request.url === '/v1/traces') response.setHeader('content-type', 'application/json').end('{}')
      else if (request.url === '/tiles/0/0/0.png?key=secret')
        response.setHeader('content-type', 'image/png').end('picture')
      else response.writeHead(404).end()
    }),
  )
  const base = `http://127.0.0.1:${port}`
  await configured({ tracesUrl: base, mapTilesUrl: `${base}/tiles/{z}/{x}/{y}.png?key=secret` }, async () => {
    expect((await testOf('traces')).IsOk).toBe(true)
    expect((await testOf('maps')).IsOk).toBe(true)
    expect((await partOf('maps')).Place).toBe(`127.0.0.1:${port}`)
  })
  expect(asked).toEqual(['POST /v1/traces', 'GET /tiles/0/0/0.png?key=secret'])
  await configured({ tracesUrl: `${base}/nowhere`, mapTilesUrl: `${base}/v1/traces` }, async () => {
    expect((await testOf('traces')).Steps[0]?.Detail).toBe(
      'The collector answered 404 to an empty set of traces.',
    )
    expect((await testOf('maps')).Steps[0]?.Detail).toBe('It sent no picture, but the type application/json.')
  })
})

test('the program for HEIC photos is told once it is installed, and tested with a photo', async () => {
  vi.stubEnv('PATH', await standInConverter(pictures.jpeg))
  expect((await partOf('heic')).Place).toMatch(/heif-convert$/)
  expect(await testOf('heic')).toMatchObject({ IsOk: true, Steps: [{ Name: 'convert' }] })
  vi.stubEnv('PATH', await standInConverter(Buffer.alloc(0)))
  expect((await testOf('heic')).Steps[0]?.Detail).toContain('Its decoder may be missing')
})

test('a replica that is a database of its own is told as such', async () => {
  const { connectionString } = installation.services.pool.options
  await configured({ databaseReadUrl: connectionString }, async () => {
    const { IsOk, Steps } = await testOf('replica')
    expect([IsOk, Steps[0]?.Detail]).toEqual([
      false,
      'It is a database of its own, not a replica: it is not read.',
    ])
  })
})

test('the worker is tested by a job that goes through the queue; one that has not come for half an hour is late', async () => {
  const { services, owner } = installation
  const runner = await startWorker(systemJobs, services, services.pool)
  try {
    expect((await testOf('worker')).Steps.map(({ Name, IsOk }) => [Name, IsOk])).toEqual([
      ['queue', true],
      ['done', true],
    ])
  } finally {
    await runner.stop()
  }
  expect((await partOf('worker')).State).toBe('working')
  await owner.query(
    `update system_check set last_success_at = now() - interval '36 minutes' where part = 'worker'`,
  )
  const late = await partOf('worker')
  expect([late.State, late.LastError]).toEqual([
    'failing',
    expect.stringContaining('No worker has checked in'),
  ])
  await beat.work({}, services)
  expect((await partOf('worker')).State).toBe('working')
})

test('the worker’s own check notes every part that is used, and the metrics count those that fail', async () => {
  const { services, owner } = installation
  vi.stubEnv('PATH', '')
  await owner.query('delete from system_check')
  await configured({ virusScannerUrl: `clamd://127.0.0.1:${await closedPort()}` }, () =>
    checkParts.work({}, services),
  )
  const { failing } = await readOutsideParts(services.pool)
  expect(failing).toEqual(
    expect.arrayContaining([
      { part: 'database', failing: 0 },
      { part: 'files', failing: 0 },
      { part: 'scanner', failing: 1 },
      { part: 'worker', failing: 0 },
    ]),
  )
  const text = await (await fetch(`${installation.url}/metrics`)).text()
  expect(text).toContain('practicum_outside_failing{part="scanner"} 1')
})

test('a folder is told by its path, a bucket without its keys, and a failure by its cause', async () => {
  const folder = join(installation.services.config.dataDir, 'other files')
  const files = await openFileStore(pathToFileURL(folder).href)
  const { services } = installation
  const store = services.files
  services.files = files
  try {
    await configured({ filesUrl: pathToFileURL(folder).href }, async () => {
      expect((await partOf('files')).Place).toBe(folder)
      expect((await partOf('files')).Figures).toEqual([
        { Name: 'free', Value: expect.stringMatching(/^\d+$/) },
      ])
    })
    await configured(
      { filesUrl: 's3://files?endpoint=https://s3.example.edu&accessKeyId=AKIA&secretAccessKey=hunter2' },
      async () => expect(await partOf('files')).toMatchObject({ Place: 's3://files', Figures: [] }),
    )
  } finally {
    services.files = store
  }
  expect(
    reasonOf(new TypeError('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND maps.example') })),
  ).toBe('getaddrinfo ENOTFOUND maps.example')
})

test('a restored copy reaches nobody until an administrator says that it is the real one', async () => {
  const { owner, services } = installation
  const program = await makeProgram(owner)
  const coordinator = await installation.as(await makePerson(owner, Level.Coord, { program }))
  const student = await installation.as(await makePerson(owner, Level.Student, { program }))
  const taken: string[] = []
  const port = await portOf(
    lineServer('220 relay ready\r\n', (line) => {
      if (line.startsWith('RCPT')) taken.push(line)
      if (line.startsWith('EHLO')) return '250 relay\r\n'
      if (line === 'DATA') return '354 go on\r\n'
      if (/^(MAIL|RCPT|QUIT)/.test(line) || line === '.') return '250 fine\r\n'
    }),
  )
  const email = (recipient: string) =>
    transaction(services.pool, { accountId: null, programIds: [program.Id] }, (db) =>
      post(db, [{ programId: program.Id, label: 'OTHER_test', recipient, subject: 'S', html: 'H' }]),
    )
  const statusOf = async (recipient: string) =>
    (await owner.query('select status, status_message from mail where recipient = $1', [recipient])).rows[0]
  const work = async () => {
    const { pool } = services
    const worker = await startWorker([sendMail], services, pool, 1)
    await pool.query("select graphile_worker.add_job('mail:send', job_key => 'mail:send')")
    const done = () =>
      pool
        .query("select from graphile_worker.jobs where task_identifier = 'mail:send'")
        .then(({ rowCount }) => rowCount === 0)
    while (!(await done())) await new Promise((resolve) => setImmediate(resolve))
    await worker.stop()
  }
  await configured({ smtpUrl: `smtp://127.0.0.1:${port}` }, async () => {
    await email('before@example.org')
    await owner.query('insert into restored_copy (backup_at) values (clock_timestamp())')
    await email('since@example.org')
    await work()
    expect(taken).toEqual([])
    expect((await coordinator.ok(getGlobals)).CopyOf).not.toBeNull()
    expect((await student.ok(getGlobals)).CopyOf).toBeNull()
    const status = await superAdmin.ok(getSystemStatus)
    expect(status.RestoredCopy!.Waiting.find(({ Kind }) => Kind === 'mail')).toEqual({
      Kind: 'mail',
      Count: 2,
      BeforeBackupCount: 1,
    })
    expect((await coordinator.call(endRestoredCopy, { body: {} })).status).toBe(403)
    await superAdmin.ok(endRestoredCopy, { body: {} })
    await work()
  })
  expect(taken.map((line) => line.replace(/^.*<|>.*$/g, ''))).toEqual(['since@example.org'])
  expect(await statusOf('before@example.org')).toEqual({
    status: 4,
    status_message: 'Not sent: it was due before the backup was made, and may have been sent then.',
  })
  expect(await superAdmin.ok(getSystemStatus)).toMatchObject({ RestoredCopy: null })
  const again = await superAdmin.call(endRestoredCopy, { body: {} })
  expect([again.status, again.body]).toMatchObject([409, { Code: 'no_copy' }])
})

test('every job that sends or reminds by itself is left out of a restored copy', () => {
  const sends = /mail|push|webhook|remind|weekly|digest|:tend|rankings|rechecks/
  // What an inbox link is mailed with waits in the outbox.
  const silent = new Set(['inbox:send', 'push:tidy', 'webhooks:tidy'])
  const sending = jobs.filter(({ name }) => sends.test(name) && !silent.has(name))
  expect(sending.length).toBeGreaterThan(15)
  expect(sending.filter(({ reachesOut }) => !reachesOut)).toEqual([])
})

test('what waits for the servers of others takes no turn from other jobs', () => {
  const waiting = jobs.filter(({ waitsForOthers }) => waitsForOthers)
  expect(waiting.map(({ name }) => name).toSorted()).toEqual(['push:send', 'webhooks:send'])
})

test('the jobs of a worker that died are given back, those of one that lives are not', async () => {
  const { owner, services } = installation
  const lock = async (worker: string, age: string) => {
    await owner.query("select graphile_worker.add_job('lost', job_key => $1)", [worker])
    await owner.query(
      `update graphile_worker._private_jobs set locked_by = $1, locked_at = now() - $2::interval where key = $1`,
      [worker, age],
    )
  }
  const locks = async () =>
    (
      await owner.query(
        "select key, locked_by from graphile_worker.jobs where task_identifier = 'lost' order by key",
      )
    ).rows.map(({ key, locked_by }) => [key, locked_by !== null])
  for (const [worker, age] of [
    ['dead', '1 minute'],
    ['living', '2 hours'],
    ['new', '1 second'],
  ] as const)
    await lock(worker, age)
  expect(await beatWorkers(services.pool, ['living'])).toBe(1)
  expect(await locks()).toEqual([
    ['dead', false],
    ['living', true],
    ['new', true],
  ])
  // A worker that stopped beating is as dead as one that never did.
  await owner.query("update worker_beat set beat_at = now() - interval '40 seconds'")
  expect(await beatWorkers(services.pool, [])).toBe(1)
  // So is one that beat before the clock was set back and never since.
  await lock('early', '-6 hours')
  await owner.query("insert into worker_beat values ('early', now() + interval '6 hours')")
  expect(await beatWorkers(services.pool, [])).toBe(0)
  await owner.query("update worker_beat set beat_at = beat_at - interval '40 seconds'")
  expect(await beatWorkers(services.pool, [])).toBe(1)
  await owner.query(
    "delete from graphile_worker._private_jobs where key in ('dead', 'living', 'new', 'early')",
  )
})
