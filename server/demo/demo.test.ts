import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Installation, startInstallation } from '#server/test/installation.ts'
import { isHoliday } from './calendar.ts'
import { generate } from './generate.ts'

let installation: Installation
/** A Wednesday afternoon in the term. */
const [today, now] = ['2026-10-14', Date.parse('2026-10-14T18:30:00Z')]

beforeAll(async () => {
  installation = await startInstallation()
  await generate(installation.owner.options.connectionString!, {
    scale: 1,
    now,
    secretKey: installation.services.config.secretKey,
  })
}, 120_000)
afterAll(() => installation?.stop())

const read = async <T>(text: string): Promise<T[]> => (await installation.owner.query(text)).rows

test('A61 on every day of the week somebody of the demo is at a site, and on holidays nobody but today', async () => {
  const days = await read<{ date: string; weekday: number }>(
    `select distinct date::text as date, extract(dow from date)::int as weekday from shift_assignment where program_id = 1`,
  )
  expect(new Set(days.map(({ weekday }) => weekday)).size).toBe(7)
  expect(days.map(({ date }) => date).filter((date) => date !== today && isHoliday(date))).toEqual([])
})

test('A61 the demo has words of programs, a custom report, skills and news', async () => {
  for (const table of ['language_profile', 'custom_report', 'skill', 'admin_news', 'announcement'])
    expect([table, (await read(`select 1 from ${table}`)).length > 0]).toEqual([table, true])
})

test('A61 most students of the demo have what their rotation asks for once they worked as planned, a handful have not', async () => {
  const [all] = await read<{ students: number; short: number }>(
    `with planned as (
      select a.student_id, r.target_minutes, sum(extract(epoch from a.ends_at - a.starts_at) / 60) as minutes
      from shift_assignment a join rotation r on r.program_id = a.program_id and r.id = a.rotation_id
      where a.program_id = 1 and a.removed_at is null and r.name like 'Clinical II,%' group by 1, 2)
    select count(*)::int as students, (count(*) filter (where minutes < target_minutes))::int as short from planned`,
  )
  expect(all!.students).toBe(46)
  expect(all!.short).toBeGreaterThan(0)
  expect(all!.short).toBeLessThan(12)
})

test('A60 A61 sign-ins of the past two weeks have ended and are more on weekdays', async () => {
  const days = await read<{ weekday: boolean; people: number }>(
    `select extract(isodow from date) < 6 as weekday, people from (
      select (created_at at time zone 'America/New_York')::date as date, count(distinct account_id)::int as people
      from session group by 1) days`,
  )
  const most = (weekday: boolean) => days.filter((day) => day.weekday === weekday).map(({ people }) => people)
  expect(days.length).toBeGreaterThanOrEqual(13)
  expect(Math.min(...most(true))).toBeGreaterThan(Math.max(...most(false)))
  expect(await read('select 1 from session where ended_at is null')).toEqual([])
})

test('the demo has webhooks with deliveries of every kind, to reserved names, and none of them is due', async () => {
  const deliveries = await read<{ state: string; count: number }>(
    'select state, count(*)::int as count from webhook_delivery group by state order by state',
  )
  expect(deliveries).toEqual([
    { state: 'delivered', count: 7 },
    { state: 'failed', count: 1 },
    { state: 'waiting', count: 3 },
  ])
  const urls = await read<{ url: string }>('select url from webhook_endpoint')
  expect(urls.filter(({ url }) => !new URL(url).hostname.endsWith('.example'))).toEqual([])
  expect(
    await read(`select d.event_id from webhook_delivery d
      join webhook_endpoint e on e.program_id = d.program_id and e.id = d.endpoint_id and e.is_enabled and e.deleted_at is null
      where d.state = 'waiting' and d.next_at <= now()`),
  ).toEqual([])
  // Sent again by hand: long after it happened, at the first attempt.
  const [again] = await read<{ count: number }>(
    `select count(*)::int as count from webhook_delivery d join webhook_event v on v.program_id = d.program_id and v.id = d.event_id
     where d.state = 'delivered' and d.attempts = 1 and d.tried_at > v.at + interval '20 hours'`,
  )
  expect(again).toEqual({ count: 1 })
  const events = await read<{ count: number }>(
    `select count(*)::int as count from webhook_event v left join webhook_subject s on s.program_id = v.program_id
     and s.subject = v.subject where s.last_number is null or v.number > s.last_number`,
  )
  expect(events).toEqual([{ count: 0 }])
})
