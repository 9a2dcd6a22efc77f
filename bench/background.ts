import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Level } from '#contract/core/levels.ts'
import { keepSecretKey, readConfig } from '#server/core/config/config.ts'
import { createPool } from '#server/core/database/pool.ts'
import { startWorker } from '#server/core/runtime/jobs.ts'
import { createLog } from '#server/core/runtime/log.ts'
import { createTaskRunner } from '#server/core/runtime/task-process.ts'
import { openServices } from '#server/services.ts'
import { serverEnvironment } from '../scripts/lib/server.mjs'
import { api, get, readsOf } from './calls.ts'
import { inTurn } from './compare.ts'
import { type Installation, memoryMiB, type SignedIn } from './installation.ts'
import { type Load, press } from './load.ts'
import { windowMs } from './options.ts'
import type { Figure } from './table.ts'

/** The worker's lanes for files and imports; everything else of the bench runs without a worker. */
export const startTaskWorker = async (at: Installation) => {
  const config = {
    ...readConfig({ DATA_DIR: at.dataDir, DEMO: '0', LOG_LEVEL: 'error' }),
    secretKey: keepSecretKey(at.dataDir),
  }
  const log = createLog('error')
  const undo: (() => Promise<unknown>)[] = []
  const services = await openServices(
    config,
    log,
    { databaseUrl: at.appUrl, connections: { transactions: 1, pool: 2 } },
    undo,
  )
  const pool = createPool(at.appUrl, log, 6)
  undo.push(() => pool.end())
  const ofWorker = { ...services, ownerUrl: '', everywhere: at.owner }
  // The processes of tasks have their worker's environment, here as there.
  Object.assign(process.env, serverEnvironment)
  const tasks = createTaskRunner(join(import.meta.dirname, '..', 'server', 'task.ts'), at.appUrl)
  for (const each of tasks.jobs) {
    const lane = await startWorker([each], ofWorker, pool, 1)
    undo.push(() => lane.stop())
  }
  undo.push(() => tasks.stop())
  return {
    processes: tasks.processes,
    stop: async () => {
      for (const step of undo.reverse()) await step()
    },
  }
}

interface Task {
  Id: number
  State: string
  Error: string
}

/** Waits until a call is answered in full: by itself, or by the task that it has become. Answers the address of the result. */
export const untilDone = async (
  origin: string,
  who: SignedIn,
  path: string,
  init: RequestInit = {},
): Promise<string> => {
  const headers = { ...who.headers, ...(init.headers as Record<string, string>) }
  const response = await fetch(`${origin}${api}${path}`, { ...init, headers })
  if (response.status === 200) {
    await response.arrayBuffer()
    return path
  }
  if (response.status !== 202)
    throw new Error(`${path} answered ${response.status}: ${(await response.text()).slice(0, 300)}`)
  // With 202 the answer is a task.
  let task = ((await response.json()) as { Task: Task }).Task
  while (task.State === 'queued' || task.State === 'running') {
    // A page is told at once, by its live updates.
    await sleep(50)
    const next = await fetch(`${origin}${api}/background-tasks/${task.Id}`, { headers: who.headers })
    task = (await next.json()) as Task
  }
  if (task.State !== 'done') throw new Error(`${path} ended as ${task.State}: ${task.Error}`)
  return `/background-tasks/${task.Id}/file`
}

/**
 * What others wait for while work goes on, and the most memory that the web process holds meanwhile; of the processes that the
 * worker has for tasks, the most that one of them holds.
 */
export const beside = async (
  at: Installation,
  staff: SignedIn,
  worker: Pick<Awaited<ReturnType<typeof startTaskWorker>>, 'processes'>,
  work: () => Promise<unknown>,
) => {
  const others = inTurn(readsOf(staff).a)
  const alone = await press(at.ours.origin, others(), { connections: 4, forMs: windowMs })
  let most = 0
  let mostApart = 0
  const watch = setInterval(() => {
    most = Math.max(most, memoryMiB(at.ours.pid))
    for (const pid of worker.processes()) if (pid) mostApart = Math.max(mostApart, memoryMiB(pid) || 0)
  }, 20)
  let isDone = false
  const began = performance.now()
  const working = work().finally(() => {
    isDone = true
  })
  const loads: Load[] = []
  const pressing = async (): Promise<void> => {
    while (!isDone) loads.push(await press(at.ours.origin, others(), { connections: 4, forMs: windowMs }))
  }
  await Promise.all([working, pressing()]).finally(() => clearInterval(watch))
  return {
    seconds: (performance.now() - began) / 1000,
    alone: alone.p99,
    p99: Math.max(...loads.map(({ p99 }) => p99)),
    most,
    mostApart,
  }
}

export const besideFigures = (
  what: string,
  measured: Awaited<ReturnType<typeof beside>>,
  note: string,
): Figure[] => [
  {
    what: `${what}: p99 of others`,
    value: measured.p99,
    text: `${Math.round(measured.p99)} ms`,
    must: 150,
    stretch: 60,
    bar: '≤ 150 / ≤ 60 ms',
    note: `${Math.round(measured.alone)} ms alone; the slowest of windows of ${windowMs / 1000} s, 4 connections; ${note}, ${measured.seconds.toFixed(1)} s in all`,
  },
  {
    what: `${what}: memory`,
    value: measured.most,
    text: `${Math.round(measured.most)} MiB`,
    must: 350,
    stretch: 250,
    bar: '≤ 350 / ≤ 250 MiB',
    note: `the most that the web process held${measured.mostApart > 0 ? `; the worker’s process held ${Math.round(measured.mostApart)} MiB` : ''}`,
  },
]

const importRows = 100_000

/** Six PDFs of all students at once beside six small ones, and an import of 100,000 rows. */
export const backgroundFigures = async (at: Installation, staff: SignedIn): Promise<Figure[]> => {
  const worker = await startTaskWorker(at)
  try {
    const { origin } = at.ours
    const program = `/programs/${staff.programId}`
    const { rows } = await at.owner.query(
      `insert into account (program_id, user_name, access_level, first_name, last_name, email)
      select $1, 'benchpdfs' || n, $2, 'Bench', 'Director', 'director' || n || '@example.edu' from generate_series(1, 6) n
      returning id::integer`,
      [staff.programId, Level.Director],
    )
    const people = await at.signIn(rows.map(({ id }) => id))
    const pdfs = await beside(at, staff, worker, () =>
      Promise.all(
        people.flatMap((who) => [
          untilDone(origin, who, `${program}/hours-summary/export?Format=pdf`),
          untilDone(origin, who, `${program}/affiliate-agreements/export?Format=pdf`),
        ]),
      ),
    )
    const lines = Array.from({ length: importRows }, (_, n) => `Bench Hospital ${n},Springfield,IL,62701`)
    const csv = new Blob([`Name,City,State,ZIPcode\n${lines.join('\n')}\n`])
    const importing = await beside(at, staff, worker, async () => {
      for (const isCheck of [true, false]) {
        const form = new FormData()
        form.append('file', csv, 'bench.csv')
        await untilDone(origin, staff, `${program}/imports?Kind=sites&DryRun=${isCheck}`, {
          method: 'POST',
          body: form,
        })
      }
    })
    // As an undo does it: dozens of tables refer to sites.
    await at.owner.query(
      "update site set deleted_at = now() where program_id = $1 and name like 'Bench Hospital %'",
      [staff.programId],
    )
    await at.owner.query('vacuum analyze site')
    return [
      ...besideFigures('six PDFs at once', pdfs, 'six of all students, and six of the agreements'),
      ...besideFigures(
        `import of ${importRows.toLocaleString('en-US')} rows`,
        importing,
        'checked, then imported',
      ),
    ]
  } finally {
    await worker.stop()
  }
}

/** A whole workbook, prepared or streamed, and read to its end. */
export const fetchWorkbook = async (origin: string, who: SignedIn, path: string): Promise<void> => {
  const result = await untilDone(origin, who, path)
  if (result === path) return
  const file = await fetch(`${origin}${get(who, result).path}`, { headers: who.headers })
  for await (const _chunk of file.body ?? []) {
    // Read to its end, not kept.
  }
}
