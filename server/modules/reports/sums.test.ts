import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays } from '#contract/core/calendar.ts'
import { Level } from '#contract/core/levels.ts'
import { type EvaluationMeans, getEvaluationMeans } from '#contract/reports/outcomes.ts'
import { getOverview, listActivePrograms } from '#contract/reports/overview.ts'
import {
  applyChange,
  type Change,
  change,
  days,
  firstDay,
  type Started,
  startHistory,
} from '#server/test/evaluation-histories.ts'
import { makePerson, makeProgram, makeRow, makeStudent } from '#server/test/factories.ts'
import { type Caller, type Installation, startInstallation } from '#server/test/installation.ts'
import { raceChanges } from '#server/test/racing.ts'
import { keepOverview } from './overview.jobs.ts'

let installation: Installation
let admin: Caller

beforeAll(async () => {
  installation = await startInstallation()
  admin = await installation.as(await makePerson(installation.owner, Level.SuperAdmin))
})
afterAll(() => installation?.stop())

const first = firstDay
const [from, through] = [addDays(first, days / 2), addDays(first, days - 1)]
const start = () => startHistory(installation)
const apply = (started: Started, each: Change) => applyChange(installation, started, each)

interface Answer {
  template_id: number
  item_id: number
  subject_id: number | null
  site_id: number | null
  date: string
  share: number | null
  is_low: boolean
  number: number | null
}

/** Counts by hand, from every answer: named ones by their day, anonymous ones in whole threes by the day of the last. */
const countByHand = async ({ program, templates }: Started): Promise<Omit<EvaluationMeans, 'Trend'>> => {
  const { rows } = await installation.owner.query<Answer>(
    `select e.template_id, a.item_id, e.subject_id, e.site_id, e.date, a.scale_share as share, a.is_low,
      e.anonymous_number as number
    from evaluation e join evaluation_answer a on a.program_id = e.program_id and a.evaluation_id = e.id
    where e.program_id = $1 and e.is_completed and e.deleted_at is null and a.score is not null
    order by e.anonymous_number`,
    [program.Id],
  )
  const shown = rows.filter(({ number }) => number === null)
  const threes = Map.groupBy(
    rows.filter(({ number }) => number !== null),
    ({ item_id, subject_id, site_id }) => `${item_id} ${subject_id} ${site_id}`,
  )
  let IsHeldBack = false
  for (const answers of threes.values()) {
    for (let at = 0; at + 3 <= answers.length; at += 3) {
      const three = answers.slice(at, at + 3)
      const date = three.map((answer) => answer.date).toSorted()[2]!
      shown.push(...three.map((answer) => ({ ...answer, date })))
    }
    IsHeldBack ||= answers.length % 3 > 0
  }
  const scored = shown.filter(({ share }) => share !== null)
  const percent = (answers: readonly Answer[]): number | null =>
    answers.length === 0
      ? null
      : // Shares are quarters: whole numbers keep halves exact, as the database rounds them.
        Math.round((answers.reduce((sum, { share }) => sum + share! * 4, 0) * 250) / answers.length) / 10
  const within = (a: string, b: string) => scored.filter(({ date }) => date >= a && date <= b)
  const [now, before] = [within(from, through), within(first, addDays(from, -1))]
  const totals = (answers: readonly Answer[]) => ({
    Answers: answers.length,
    Percent: percent(answers),
    Low: answers.filter(({ is_low }) => is_low).length,
  })
  const means = (ids: readonly (number | null)[], of: (answer: Answer) => number | null) =>
    ids.flatMap((Id) => {
      const own = now.filter((answer) => of(answer) === Id)
      return Id === null || own.length === 0
        ? []
        : [
            {
              Id,
              Answers: own.length,
              Percent: percent(own)!,
              BeforePercent: percent(before.filter((answer) => of(answer) === Id)),
            },
          ]
    })
  return {
    FromDate: from,
    ThroughDate: through,
    BeforeFrom: first,
    BeforeThrough: addDays(from, -1),
    Now: totals(now),
    Before: totals(before),
    Templates: means(
      templates.map(({ id }) => id),
      ({ template_id }) => template_id,
    ),
    Sites: means([...new Set(rows.map(({ site_id }) => site_id))], ({ site_id }) => site_id),
    IsHeldBack,
  } as never
}

const byId = (rows: { Id: number; Name?: string }[]) =>
  rows.map(({ Name: _name, ...row }) => row).toSorted((one, other) => one.Id - other.Id)

const expectSame = async (started: Started): Promise<void> => {
  const { Trend: _trend, ...kept } = await started.director.ok(getEvaluationMeans, {
    params: { programId: started.program.Id },
    query: { FromDate: from, ThroughDate: through },
  })
  const counted = await countByHand(started)
  expect({ ...kept, Templates: byId(kept.Templates), Sites: byId(kept.Sites) }).toEqual({
    ...counted,
    Templates: byId(counted.Templates),
    Sites: byId(counted.Sites),
  })
}

test('A60 what evaluations come to is kept through any changes as counting by hand finds it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(change, { minLength: 8, maxLength: 24 }), { minLength: 3, maxLength: 4 }),
      async (rounds) => {
        const started = await start()
        for (const changes of rounds) {
          for (const each of changes) await apply(started, each)
          await expectSame(started)
        }
      },
    ),
    { numRuns: 8, endOnFailure: true },
  )
}, 120_000)

test('A60 people who submit, change and delete at the same moment are all counted, once each', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 60, maxLength: 120 }), async (changes) => {
      const started = await start()
      await raceChanges(installation, changes, (each) => apply(started, each), 4)
      await expectSame(started)
    }),
    { numRuns: 5, endOnFailure: true },
  )
}, 120_000)

test('A60 many who submit on the same day at once, named and anonymous, are all counted without a deadlock', async () => {
  const started = await start()
  const { owner } = installation
  await owner.query('update evaluation set date = $2, site_id = null where program_id = $1', [
    started.program.Id,
    from,
  ])
  const deadlocks = async () => {
    const { rows } = await owner.query(
      'select deadlocks from pg_stat_database where datname = current_database()',
    )
    return rows[0].deadlocks
  }
  const before = await deadlocks()
  await Promise.all(
    started.evaluations.map((_, evaluation) =>
      apply(started, { kind: 'submit', evaluation, value: 1 + (evaluation % 5) }),
    ),
  )
  // Then two forms each in one transaction, every second time in the other order; and anonymous ones of the same threes.
  const score = async (evaluations: readonly number[]) => {
    const client = await owner.connect()
    try {
      await client.query('begin')
      for (const id of evaluations)
        await client.query(
          'update evaluation_answer set score = 2, scale_share = 0.5 where program_id = $1 and evaluation_id = $2',
          [started.program.Id, id],
        )
      await client.query('commit')
    } finally {
      client.release()
    }
  }
  const threes = Array.from({ length: started.evaluations.length / 3 }, (_, n) =>
    started.evaluations.slice(n * 3, n * 3 + 3),
  )
  await Promise.all(
    threes.flatMap(([one, other, anonymous], n) => [
      score(n % 2 ? [one!, other!] : [other!, one!]),
      score([anonymous!]),
    ]),
  )
  await owner.query('select pg_stat_force_next_flush()')
  expect(await deadlocks()).toBe(before)
  await expectSame(started)
})

test('A60 an answer that changes while its evaluation is submitted is counted once, with what it says at the end', async () => {
  const started = await start()
  const { owner } = installation
  const [id, at] = [started.evaluations[0]!, [started.program.Id, started.evaluations[0]]]
  const { items, formId } = started.templates[0]!
  await owner.query('update evaluation set date = $3 where program_id = $1 and id = $2', [...at, from])
  await apply(started, { kind: 'score', evaluation: 0, value: 4 })
  const score = `update evaluation_answer set score = 1, scale_share = 0.25 where program_id = $1 and evaluation_id = $2
    and item_id = $3`
  const complete = `update evaluation set is_completed = true, form_id = $3 where program_id = $1 and id = $2`
  const changes: [string, unknown[]][] = [
    [complete, [...at, formId]],
    [score, [...at, items[0]]],
  ]
  for (const [first, second] of [changes, changes.toReversed()] as const) {
    await apply(started, { kind: 'reopen', evaluation: 0, value: 0 })
    await apply(started, { kind: 'score', evaluation: 0, value: 4 })
    const [one, other] = [await owner.connect(), await owner.connect()]
    try {
      await one.query('begin')
      await one.query(...first!)
      let isDone = false
      const changed = other.query(...second!).then(() => {
        isDone = true
      })
      const { processID } = other as unknown as { processID: number }
      const isWaiting = async () =>
        (
          await owner.query("select from pg_stat_activity where pid = $1 and wait_event_type = 'Lock'", [
            processID,
          ])
        ).rowCount === 1
      while (!isDone && !(await isWaiting())) await new Promise((resolve) => setTimeout(resolve, 5))
      await one.query('commit')
      await changed
    } finally {
      one.release()
      other.release()
    }
    await expectSame(started)
    expect((await owner.query('select is_completed from evaluation where id = $1', [id])).rows).toEqual([
      { is_completed: true },
    ])
  }
})

test('A60 students and files are kept through any changes as counting by hand finds them', async () => {
  const { owner } = installation
  const [program, other] = [
    await makeProgram(owner, { name: 'Tally one' }),
    await makeProgram(owner, { name: 'Tally two' }),
  ]
  const students: number[] = []
  for (let number = 0; number < 8; number++)
    students.push((await makeStudent(owner, number % 2 ? program : other)).Id)
  const expectCounted = async () => {
    const { rows } = await owner.query(
      `select (select count(*) from account a join program p on p.id = a.program_id and p.deleted_at is null
          where a.access_level = 39 and a.deleted_at is null and a.deactivated_at is null)::integer as students,
        (select count(*) from stored_file)::integer as files, (select coalesce(sum(byte_count), 0) from stored_file)::integer as bytes,
        (select json_object_agg(p.name, (select count(*) from account a where a.program_id = p.id and a.access_level = 39
          and a.deleted_at is null and a.deactivated_at is null)) from program p where p.id in ($1, $2)) as programs`,
      [program.Id, other.Id],
    )
    const overview = await admin.ok(getOverview)
    expect(overview).toMatchObject({
      Students: rows[0].students,
      Storage: { Files: rows[0].files, FileBytes: rows[0].bytes },
    })
    const { Items } = await admin.ok(listActivePrograms, { query: { search: 'Tally' } })
    for (const { Name, Students } of Items) expect([Name, Students]).toEqual([Name, rows[0].programs[Name]])
  }
  const steps = [
    'update account set deleted_at = now() where id = $1',
    'update account set deactivated_at = now() where id = $1',
    'update account set deleted_at = null where id = $1',
    'update account set deactivated_at = null where id = $1',
    'update account set access_level = 40 where id = $1',
    'update account set access_level = 39 where id = $1',
    "update account set last_name = 'Else' where id = $1",
  ]
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(steps.length + 2), fc.nat(7), fc.nat(900)), { minLength: 10, maxLength: 30 }),
      async (changes) => {
        for (const [step, index, bytes] of changes) {
          const text = steps[step]
          if (text) await owner.query(text, [students[index]])
          else if (step === steps.length)
            await owner.query(
              `insert into stored_file (store_key, name, media_type, byte_count, sha256)
              select gen_random_uuid(), 'f', 'text/plain', $1 + n, 'x' from generate_series(1, 3) n`,
              [bytes],
            )
          else if (step === steps.length + 1)
            await owner.query("delete from stored_file where name = 'f' and byte_count % 3 = $1", [bytes % 3])
          else await owner.query("update stored_file set byte_count = byte_count + 7 where name = 'f'")
        }
        await expectCounted()
      },
    ),
    { numRuns: 8, endOnFailure: true },
  )
  await owner.query('update program set deleted_at = now() where id = $1', [other.Id])
  await expectCounted()
}, 60_000)

test('counted failures are forgotten after thirty days', async () => {
  const { owner } = installation
  await owner.query(`insert into failure_hour (kind, name, hour, number)
    select 'job', 'forgotten ' || days, date_trunc('hour', now()) - days * interval '1 day', 1 from unnest(array[29, 31]) days`)
  await keepOverview.work({}, installation.services)
  const { rows } = await owner.query("select name from failure_hour where name like 'forgotten %'")
  expect(rows).toEqual([{ name: 'forgotten 29' }])
})

test('A60 sign-ins of days that are over are kept, and today is counted', async () => {
  const { owner } = installation
  const people = [await makePerson(owner, Level.Faculty), await makePerson(owner, Level.Faculty)]
  for (const [index, person] of people.entries())
    for (const hours of [1, 30, 31, 55, 80 + index * 24])
      await makeRow(owner, 'session', {
        token_hash: Buffer.from(`${person.Id} ${hours}`),
        csrf_token: 'x',
        account_id: person.Id,
        expires_at: new Date().toISOString(),
        created_at: new Date(Date.now() - hours * 3_600_000).toISOString(),
      })
  const { rows } = await owner.query(
    `select (created_at at time zone 'America/New_York')::date as date, count(distinct account_id)::integer as people,
      count(*)::integer as sign_ins from session group by 1`,
  )
  const read = async () => (await admin.ok(getOverview)).Days.filter(({ SignIns }) => SignIns > 0)
  const counted = rows
    .map(({ date, people: count, sign_ins }) => ({ Date: date, People: count, SignIns: sign_ins }))
    .toSorted((one, other) => (one.Date < other.Date ? -1 : 1))
  await owner.query('delete from sign_in_day')
  expect(await read()).toEqual(counted)
  await keepOverview.work({}, installation.services)
  const kept = await owner.query("select from sign_in_day where time_zone = 'America/New_York'")
  expect(kept.rowCount).toBeGreaterThanOrEqual(13)
  expect(await read()).toEqual(counted)
  // What is kept is read: without its sessions a day that is over says the same.
  await owner.query("delete from session where created_at < now() - interval '50 hours'")
  expect(await read()).toEqual(counted)
})
