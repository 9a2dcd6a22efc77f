import { hash } from '@node-rs/argon2'
import pg from 'pg'
import { Level } from '#contract/core/levels.ts'
import { keepSignIns } from '#server/core/auth/sign-in-days.ts'
import { onConnection } from '#server/core/database/pool.ts'
import type { FileStore } from '#server/core/runtime/file-store.ts'
import { storedSums } from '#server/stored-sums.ts'
import { blankAccount } from './accounts.ts'
import { withoutIndexes } from './bulk-load.ts'
import { makeExams } from './exams.ts'
import { makeTwoYears } from './history.ts'
import { Maker } from './maker.ts'
import { collegeStems, fields } from './names.ts'
import { makeTaxRates } from './payments.ts'
import { wantedByBoth } from './placement-plans.ts'
import { makeProgram } from './program.ts'
import { planPrograms } from './program-plans.ts'
import { randomFrom } from './random.ts'
import { makeSafety } from './safety.ts'
import { makeNews } from './verifications.ts'
import { makeWebhooks } from './webhooks.ts'

/** The password of every demo account. */
export const demoPassword = 'Bluebird-42-harbor'

export interface GenerateOptions {
  /** 1 is the demo: three programs, 150 students. S makes S programs of 150 students on average, at least three. */
  scale: number
  /** The moment that counts as now; that of the clock when it is left out. */
  now?: number
  /** The day that counts as today, 'YYYY-MM-DD': 12 weeks are before it and 8 after. That of `now` when it is left out. */
  today?: string
  seed?: number
  /** So many in each program, instead of as many as its plan says. */
  students?: number
  /** Where the files of documents are kept; without it there are no documents. */
  files?: FileStore
  /** Under which secrets are sealed; without it there are no webhooks. */
  secretKey?: string
  /** Told after each program: how many of how many are made. */
  onProgress?: (done: number, all: number) => void
}

/** What programs call things, by the numbers of `termDefaults`. */
const languageProfiles: [name: string, entries: [key: number, value: string, plural: string][]][] = [
  [
    'Nursing words',
    [
      [1, 'clinical site', 's'],
      [14, 'preceptor', 's'],
    ],
  ],
  [
    'Sonography words',
    [
      [1, 'clinical affiliate', 's'],
      [4, 'assessment', 's'],
      [14, 'clinical instructor', 's'],
    ],
  ],
]

const summed = [
  'shift_assignment',
  'time_record',
  'evaluation_answer',
  'procedure_log',
  'exam_attempt',
] as const

/** Programs with so many students have two years behind them. */
const largest = 1_000

/** From this scale on, indexes are made when all rows are there. */
const bulkScale = 8
const bulky = [...summed, 'evaluation', 'verification']

const recount = async (
  client: pg.Client,
  programIds: readonly number[],
  named: readonly string[],
): Promise<void> => {
  const kept = storedSums.filter(({ of }) => named.includes(of))
  for (const id of programIds) for (const sums of kept) await sums.recount(onConnection(client), id)
}

/** Rows whose sums triggers would keep one by one; set-based they take a moment. */
const sumUp = async (client: pg.Client, programIds: readonly number[]): Promise<void> => {
  await client.query(`insert into shift_day (program_id, site_shift_id, date, placed, capacity)
    select a.program_id, a.site_shift_id, a.date, count(*), max(s.capacity) from shift_assignment a
    join site_shift s on s.program_id = a.program_id and s.id = a.site_shift_id where a.removed_at is null
    group by a.program_id, a.site_shift_id, a.date`)
  await client.query(
    "insert into plan_until (program_id, until) select id, date_trunc('hour', now()) from program",
  )
  await recount(client, programIds, ['time', 'evaluation', 'procedure'])
}

/** A site that two programs share, with so many places a day; each has it as the n-th of its own. */
const shareSite = async (
  client: pg.ClientBase,
  programs: readonly [number, number],
  { nth, capacity }: { nth: number; capacity: number },
): Promise<void> => {
  const { rows } = await client.query<{ program_id: number; site_id: number; name: string }>(
    `select program_id, site_id, name from (select s.program_id, s.id as site_id, s.name,
        row_number() over (partition by s.program_id order by s.id) as place
      from site s where s.program_id = any ($1) and s.deleted_at is null) x
    where place = $2 order by program_id`,
    [programs, nth],
  )
  const [first] = rows
  if (!first || rows.length < 2) return
  const shared = await client.query<{ id: number }>(
    'insert into shared_site (name, capacity) values ($1, $2) returning id',
    [first.name, capacity],
  )
  const id = shared.rows[0]?.id
  for (const { program_id, site_id } of rows)
    await client.query(
      'insert into shared_site_program (program_id, shared_site_id, site_id) values ($1, $2, $3)',
      [program_id, id, site_id],
    )
  await client.query(
    `insert into shared_site_day (shared_site_id, date, placed, capacity)
    select m.shared_site_id, a.date, count(*), greatest($2, count(*)) from shared_site_program m
    join shift_assignment a on a.program_id = m.program_id and a.site_id = m.site_id and a.removed_at is null
    where m.shared_site_id = $1
    group by m.shared_site_id, a.date`,
    [id, capacity],
  )
}

/**
 * Sign-ins of the past two weeks in the programs of the demo, most of them on weekdays. All have ended, so that nobody comes
 * in by one.
 */
const signInForTwoWeeks = async (client: pg.ClientBase, today: string): Promise<void> => {
  await client.query(
    `insert into session (token_hash, csrf_token, account_id, created_at, last_seen_at, expires_at, ended_at)
    select sha256(convert_to(format('demo %s %s', a.id, d.date), 'UTF8')), '', a.id, s.at, s.at + interval '25 minutes',
      s.at + interval '1 hour', s.at + interval '25 minutes'
    from account a join program p on p.id = a.program_id
    cross join (select ($1::date - n) as date from generate_series(1, 14) n) d
    cross join lateral (select abs(hashtext(format('%s %s', a.id, d.date))) as chance) c
    cross join lateral (select (d.date + time '06:30' + c.chance % 600 * interval '1 minute') at time zone p.time_zone as at) s
    where p.id <= 3 and a.deactivated_at is null and a.deleted_at is null
      and c.chance % 100 < case when extract(isodow from d.date) < 6 then 58 + extract(isodow from d.date) % 3 * 6 else 19 end
    order by s.at`,
    [today],
  )
  await keepSignIns(client)
}

/** The day of a moment where most of the demo is. */
const dayOf = (moment: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(moment)

/**
 * Fills an empty, migrated database. The same scale, seed and day make the same data. Everything is one transaction: an
 * interrupted run leaves the database empty.
 *
 * @throws Error when there are programs already
 */
export const generate = async (
  ownerUrl: string,
  {
    scale,
    now = Date.now(),
    today = dayOf(now),
    seed = 2026,
    students,
    files,
    secretKey,
    onProgress,
  }: GenerateOptions,
): Promise<void> => {
  const client = new pg.Client({ connectionString: ownerUrl, options: '-c TimeZone=UTC' })
  await client.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query('select 1 from program limit 1')
    if (rows.length > 0)
      throw new Error('There are programs in this database already: only an empty one can be filled.')
    for (const table of summed) await client.query(`alter table ${table} disable trigger user`)
    const addIndexes = scale >= bulkScale ? await withoutIndexes(client, bulky) : async () => {}
    // Rows come in the order of their making, not of their references: a pair of punches points at each other.
    await client.query('set constraints all deferred')
    const random = randomFrom(seed)
    const maker = new Maker(client, random, today, now)
    const passwordHash = await hash(demoPassword, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
    const plans = planPrograms(random, scale).map((plan) =>
      students === undefined ? plan : { ...plan, students },
    )
    const stamp = new Date(maker.now).toISOString()
    const colleges = Math.max(...plans.map(({ collegeId }) => collegeId))
    for (let n = 1; n <= colleges; n++) {
      const name =
        n === 1
          ? 'Harbor College'
          : n === 2
            ? 'Lakeside University'
            : `${collegeStems[n % collegeStems.length]} College ${n}`
      const plan = plans.find(({ collegeId }) => collegeId === n)
      await maker.add('college', {
        name,
        address: '1 College Way',
        city: plan?.city ?? '',
        state: plan?.state ?? '',
        zip: '',
        phone: '',
        website: '',
        latitude: plan?.latitude,
        longitude: plan?.longitude,
        created_at: stamp,
        updated_at: stamp,
      })
    }
    for (const name of fields) await maker.add('modality', { name })
    for (const [index, name] of ['Accredited', 'Provisional', 'Certificate'].entries())
      await maker.add('program_class', { name, value: name.charAt(0), is_default: index === 0 })
    for (const name of ['Two-year', 'Four-year']) await maker.add('program_type', { name })
    for (const [name, entries] of languageProfiles) {
      const profile = await maker.add('language_profile', { name })
      for (const [key, value, plural] of entries)
        await maker.put('language_entry', { profile_id: profile, key_id: key, value, singular: '', plural })
    }
    await maker.add('account', {
      ...blankAccount(maker, passwordHash),
      program_id: null,
      first_name: 'Miriam',
      last_name: 'Castellane',
      user_name: 'super',
      access_level: Level.SuperAdmin,
      email: 'super@example.org',
    })
    await maker.flush()
    for (const [index, plan] of plans.entries()) {
      await makeProgram(maker, plan, passwordHash, files)
      await maker.flush()
      onProgress?.(index + 1, plans.length)
    }
    await makeNews(maker)
    await makeTaxRates(maker)
    await maker.finish()
    await client.query('set constraints all immediate')
    await addIndexes()
    const ids = plans.map(({ id }) => id)
    await sumUp(client, ids)
    // With room enough for what programs of two colleges have there.
    await shareSite(client, [1, 3], { nth: 1, capacity: 60 })
    // With fewer places than the students of two programs want there next term: solved together, the places go where they help most.
    await shareSite(client, [1, 2], { nth: wantedByBoth + 1, capacity: 6 })
    await makeExams(client, today)
    const large = plans.filter(({ students }) => students >= largest).map(({ id }) => id)
    for (const id of large) await makeTwoYears(client, id)
    await recount(client, large, ['procedure'])
    await makeSafety(client, today)
    await recount(client, ids, ['competency'])
    await signInForTwoWeeks(client, today)
    if (secretKey !== undefined) await makeWebhooks(client, secretKey, now)
    for (const table of summed) await client.query(`alter table ${table} enable trigger user`)
    await client.query('commit')
    await client.query('vacuum (analyze)')
  } finally {
    await client.end()
  }
}
