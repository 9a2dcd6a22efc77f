import { afterAll, beforeAll, expect, test } from 'vitest'
import { Level } from '#contract/core/levels.ts'
import { listScheduleConflicts } from '#contract/scheduling/schedule-grid.ts'
import { makePerson, makeProgram } from './factories.ts'
import { addressOf, type Caller, type Installation, startInstallation } from './installation.ts'

/** Callers who hang up before the answer, while the database is kept from answering by somebody's lock. */
let installation: Installation
let program: { Id: number }
let coordinator: Caller
beforeAll(async () => {
  installation = await startInstallation()
  program = await makeProgram(installation.owner)
  coordinator = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
})
afterAll(() => installation?.stop())

const conflicts = () =>
  addressOf(listScheduleConflicts, {
    params: { programId: program.Id },
    query: { FromDate: '2026-11-02', ThroughDate: '2026-11-29' },
  })
const ask = (path: string, signal: AbortSignal): Promise<number> =>
  fetch(`${installation.url}/new/api${path}`, { headers: coordinator.headers, signal }).then(
    ({ status }) => status,
    () => 0,
  )
const countWaiting = async (): Promise<number> => {
  // As the serving role: others are not shown what its connections wait for.
  const { rows } = await installation.services.pool.query(
    `select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0].count
}

/** Nobody reads assignments while `work` runs. */
const whileLocked = async (work: () => Promise<void>): Promise<void> => {
  const holder = await installation.owner.connect()
  try {
    await holder.query('begin; lock table shift_assignment in access exclusive mode')
    await work()
  } finally {
    await holder.query('rollback')
    holder.release()
  }
}

test('D2 forty calls of one account: few wait in the database, the rest is told to come again, all are gone when it hangs up', async () => {
  await whileLocked(async () => {
    const caller = new AbortController()
    let refused = 0
    const calls = Array.from({ length: 40 }, async () => {
      if ((await ask(conflicts(), caller.signal)) === 429) refused++
    })
    await expect.poll(countWaiting).toBe(2)
    await expect.poll(() => refused).toBe(32)
    expect((await fetch(`${installation.url}/readyz`)).status).toBe(200)
    caller.abort()
    await Promise.all(calls)
    await expect.poll(countWaiting).toBe(0)
  })
  expect(await ask(conflicts(), AbortSignal.timeout(60_000))).toBe(200)
})

test('D2 an export that is broken off leaves its row in the audit', async () => {
  const path = `/programs/${program.Id}/shift-assignments/export?FromDate=2026-11-02&ThroughDate=2026-11-29`
  await whileLocked(async () => {
    const caller = new AbortController()
    const call = ask(path, caller.signal)
    await expect.poll(countWaiting).toBe(1)
    caller.abort()
    await call
    await expect.poll(countWaiting).toBe(0)
  })
  const rows = async () =>
    (
      await installation.owner.query(
        "select detail from audit where program_id = $1 and action like 'GET %/shift-assignments/export'",
        [program.Id],
      )
    ).rows
  await expect.poll(rows).toEqual([{ detail: expect.objectContaining({ IsBrokenOff: true }) }])
})
