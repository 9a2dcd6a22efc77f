import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Installation } from './installation.ts'
import { hangUp, median, type Request, send } from './load.ts'
import type { Figure } from './table.ts'

const kills = 10
const loadMs = 1_500
const connections = 16

/** Keeps calls under way whatever becomes of them, until it is told to stop. */
const keepBusy = (at: Installation, next: (connection: number) => Request) => {
  let goesOn = true
  const working = Array.from({ length: connections }, async (_, connection) => {
    while (goesOn) await send(at.ours.origin, next(connection)).catch(() => sleep(20))
  })
  return async () => {
    goesOn = false
    await Promise.all(working)
  }
}

/** The process of its PostgreSQL; NaN while there is none. */
export const postmasterOf = (at: Installation): number => {
  try {
    return Number(readFileSync(join(at.dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
  } catch {
    return Number.NaN
  }
}

const untilGood = async (at: Installation, probe: Request): Promise<void> => {
  while (!(await send(at.ours.origin, probe).catch(() => undefined))) await sleep(10)
}

/** Kills without a warning under load and counts to the first good answer to somebody who is signed in. */
const recover = async (
  at: Installation,
  next: () => (connection: number) => Request,
  probe: Request,
  kill: () => Promise<void>,
): Promise<number[]> => {
  const took: number[] = []
  for (let round = 0; round < kills; round++) {
    await untilGood(at, probe)
    const rest = keepBusy(at, next())
    await sleep(loadMs)
    const began = performance.now()
    await kill()
    await untilGood(at, probe)
    took.push((performance.now() - began) / 1000)
    await rest()
  }
  return took
}

const asFigure = (what: string, seconds: readonly number[]): Figure => ({
  what: `kill -9 of the ${what} under load: to the first good answer, the worst of ${kills}`,
  value: Math.max(...seconds),
  text: `${Math.max(...seconds).toFixed(1)} s`,
  must: 5,
  stretch: 2,
  bar: '≤ 5 / ≤ 2 s',
  note: `median ${median(seconds).toFixed(1)} s; ${connections} connections, started again at once`,
})

/** The reference is ended first: it does not outlive its database. */
export const recoveryFigures = async (
  at: Installation,
  next: () => (connection: number) => Request,
  probe: Request,
): Promise<Figure[]> => {
  await at.endBare()
  const server = await recover(at, next, probe, async () => {
    at.ours.child.kill('SIGKILL')
    hangUp()
    await at.startOurs()
  })
  const database = await recover(at, next, probe, async () => {
    const killed = postmasterOf(at)
    process.kill(killed, 'SIGKILL')
    // What it left behind answers for a moment: a good answer is one of the next.
    while (Number.isNaN(postmasterOf(at)) || postmasterOf(at) === killed) await sleep(5)
  })
  return [asFigure('server', server), asFigure('database', database)]
}
