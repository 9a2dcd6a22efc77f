import { setTimeout as sleep } from 'node:timers/promises'
import { get, staffOf } from './calls.ts'
import { type Installation, processorSeconds, startInstallation } from './installation.ts'
import { send } from './load.ts'
import type { Figure } from './table.ts'

const calls = 20
const catchUpSeconds = 120

/** What is asked first, with the most milliseconds of processor that a call may take and should. */
const asked: readonly [what: string, path: string, must: number, stretch: number][] = [
  ['missed records', '/missed-time-records', 12, 4],
  ['time totals', '/time-summaries', 25, 8],
  ['coordinator home', '/home', 8, 3],
  ['approve list', '/time-records?Status=pending&pageSize=50', 12, 4],
  ['approved records, page 2000', '/time-records?Status=approved&page=2000', 24, 8],
]

/** Waits until the worker has kept what changed while it was away. */
const caughtUp = async (at: Installation): Promise<number> => {
  const began = performance.now()
  while ((performance.now() - began) / 1000 < catchUpSeconds) {
    const { rows } = await at.owner.query(
      `select count(*)::integer as waiting from graphile_worker.jobs j where task_identifier = 'core:catch-up' and attempts < max_attempts`,
    )
    if (rows[0].waiting === 0) break
    await sleep(100)
  }
  return (performance.now() - began) / 1000
}

/** An installation as \`npm run data\` leaves it and \`npm start\` starts it, with nothing prepared: the first calls of each list. */
export const firstFigures = async (scale: number, programId: number): Promise<Figure[]> => {
  const at = await startInstallation(scale, { role: 'all' })
  try {
    const seconds = await caughtUp(at)
    const staff = await staffOf(at, programId)
    const used = () => processorSeconds(at.ours.pid) + at.backendSeconds()
    const figures: Figure[] = [
      {
        what: 'after the start: all that pages read is kept',
        value: seconds,
        text: `${seconds.toFixed(1)} s`,
        must: 60,
        stretch: 10,
        bar: '≤ 60 / ≤ 10 s',
        note: 'nothing was kept before; pages answer meanwhile',
      },
    ]
    for (const [what, path, must, stretch] of asked) {
      const request = get(staff, `/programs/${programId}${path}`)
      const before = used()
      for (let call = 0; call < calls; call++) await send(at.ours.origin, request)
      const value = ((used() - before) * 1000) / calls
      figures.push({
        what: `first ${calls} calls after a start: ${what}`,
        value,
        text: `${value.toFixed(1)} ms`,
        must,
        stretch,
        bar: `≤ ${must} / ≤ ${stretch} ms`,
        note: 'processor a call; nothing was asked before',
      })
    }
    return figures
  } finally {
    await at.stop()
  }
}
