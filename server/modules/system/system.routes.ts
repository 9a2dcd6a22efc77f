import { lastWordOf } from '#contract/core/last-word.ts'
import type { OutsideTest } from '#contract/core/outside-test.ts'
import { systemFailures } from '#contract/system/failures.ts'
import * as contract from '#contract/system/system.ts'
import { transaction } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { quarterHour, throttle } from '#server/core/http/throttle.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { enqueue } from '#server/core/runtime/jobs.ts'
import { readBacklog } from '#server/core/runtime/metrics.ts'
import { findRestoredCopy } from '#server/core/runtime/restored-copy.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { version } from '#server/core/runtime/version.ts'
import { countWaitingInCopy } from './copy.across.ts'
import { freeBytes, parts, testPart, testWorker } from './parts.service.ts'
import { noteCheck } from './system.commands.ts'
import { beat } from './system.jobs.ts'
import { endCopy, findBeat, findChecks, findSystemFigures } from './system.queries.ts'

type Figures = contract.SystemPart['Figures']

const placeOf = (services: Services, key: contract.SystemPartKey): string | undefined =>
  key === 'worker' ? '' : parts[key].placeOf(services)

const lateWorker =
  'No worker has checked in for half an hour: emails and jobs wait. Start a process with ROLE=worker or ROLE=all.'

const figure = (Name: Figures[number]['Name'], value: number | string | undefined): Figures =>
  value === undefined ? [] : [{ Name, Value: String(value) }]

const stateOf = (dates: Parameters<typeof lastWordOf>[0]): contract.SystemPart['State'] => {
  const word = lastWordOf(dates)
  return word === 'unused' ? 'unchecked' : word
}

/** Tests the worker by a job of its own that goes through the queue outside the call’s transaction, which the worker could not see. */
const tryWorker = async ({ pool }: Services): Promise<OutsideTest> => {
  const before = await findBeat(pool)
  return testWorker(
    () => transaction(pool, { accountId: null, programIds: [] }, (db) => enqueue(db, beat, {})),
    async () => (await findBeat(pool)) > before,
  )
}

export const systemRoutes = [
  handle(contract.getSystemStatus, async ({ db, services }) => {
    const checks = await findChecks(db)
    const figures = await findSystemFigures(db)
    const { due, failed, emails, failing } = await readBacklog(services)
    const failingOf = (kind: string): number => failing.find(({ part }) => part === kind)?.failing ?? 0
    const figuresOf: Partial<Record<contract.SystemPartKey, Figures>> = {
      database: [...figure('version', figures.version), ...figure('size', figures.bytes)],
      replica: services.replica
        ? figure('lag', Math.max(0, Math.round(services.replica.lagMs() / 1_000)))
        : [],
      files: figure('free', await freeBytes(services)),
      worker: [...figure('due', due), ...figure('failed', failed)],
      mail: [...figure('waiting', emails), ...figure('givenUp', failingOf('email'))],
    }
    const Parts = contract.systemParts.map((Key): contract.SystemPart => {
      const place = placeOf(services, Key)
      const { last_success_at = null, last_error_at = null, last_error = '' } = checks.get(Key) ?? {}
      const dates = { LastSuccessDate: last_success_at, LastErrorDate: last_error_at }
      const isLate = Key === 'worker' && figures.is_worker_late && last_success_at !== null
      const jobError = Key === 'worker' ? figures.job_error.slice(0, 500) : ''
      const state = isLate ? 'failing' : stateOf(dates)
      return {
        Key,
        State: place === undefined ? 'off' : state,
        Setting: Key === 'worker' ? 'ROLE' : parts[Key].setting,
        Place: place ?? '',
        Figures: figuresOf[Key] ?? [],
        ...dates,
        LastError: isLate ? lateWorker : last_error || jobError,
      }
    })
    const Outside = contract.outsideKinds.map((Kind) => ({ Kind, FailingCount: failingOf(Kind) }))
    const copy = await findRestoredCopy(db)
    const RestoredCopy = copy
      ? {
          RestoreDate: copy.restored_at,
          BackupDate: copy.backup_at,
          Waiting: (await countWaitingInCopy(db)).map(({ kind, waiting, before_backup }) => ({
            Kind: kind,
            Count: waiting,
            BeforeBackupCount: before_backup,
          })),
        }
      : null
    return { Version: version, RestoredCopy, Parts, Outside }
  }),

  handle(contract.endRestoredCopy, async ({ db, body: { SendsOld } }) => {
    if (!(await endCopy(db, SendsOld))) throw fail(systemFailures.no_copy)
  }),

  handle(contract.testSystemPart, async ({ params: { part }, user, services, audit }) => {
    if (placeOf(services, part) === undefined) throw fail(systemFailures.part_off)
    await throttle(services.pool, [{ key: `system-test:${user.Id}`, max: 60, windowSeconds: quarterHour }])
    const result =
      part === 'worker'
        ? await tryWorker(services)
        : await testPart(services, part, user.EmailAddress || undefined)
    await noteCheck(services.pool, part, result.Steps.find(({ IsOk }) => !IsOk)?.Detail ?? '')
    audit.detail = { Part: part, IsOk: result.IsOk }
    return result
  }),
]
