import { randomInt } from 'node:crypto'
import { lastWordOf } from '#contract/core/last-word.ts'
import { systemFailures } from '#contract/system/failures.ts'
import * as contract from '#contract/system/system.ts'
import { hashCode } from '#server/core/auth/seal.ts'
import { transaction } from '#server/core/database/pool.ts'
import { handle } from '#server/core/http/handle.ts'
import { quarterHour, throttle } from '#server/core/http/throttle.ts'
import { freeBytesOf, ownFolders } from '#server/core/runtime/disk.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { enqueue } from '#server/core/runtime/jobs.ts'
import { readBacklog } from '#server/core/runtime/metrics.ts'
import { findRestoredCopy } from '#server/core/runtime/restored-copy.ts'
import { saveSetting } from '#server/core/runtime/saved-setting.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { version } from '#server/core/runtime/version.ts'
import { countWaitingInCopy } from './copy.across.ts'
import { backupToDo, diskToDo, httpsToDo, type Measured, mailToDo, timeToDo } from './part.rules.ts'
import { parts, type Tested, testPart, testWorker } from './parts.service.ts'
import { noteCheck } from './system.commands.ts'
import { beat } from './system.jobs.ts'
import {
  endCopy,
  findBeat,
  findChecks,
  findLastBackup,
  findMailArrival,
  findSystemFigures,
  mailArrival,
} from './system.queries.ts'

type Figures = contract.SystemPart['Figures']

const placeOf = (services: Services, key: contract.SystemPartKey): string | undefined =>
  key === 'worker' ? '' : parts[key].placeOf(services)

const lateWorker =
  'No worker has checked in for half an hour: emails and jobs wait. Start a process with ROLE=worker or ROLE=all.'

const figure = (Name: Figures[number]['Name'], value: number | string | undefined): Figures =>
  value === undefined ? [] : [{ Name, Value: String(value) }]

const freeOf = async ({ config }: Services, wanted: 'data' | 'files'): Promise<number | undefined> => {
  const place = ownFolders(config).find(({ of }) => of === wanted)
  return place && freeBytesOf(place.folder)
}

const hoursSince = (at: string | null | undefined, now: string): number | undefined =>
  at ? Math.max(0, Math.round((Date.parse(now) - Date.parse(at)) / 3_600_000)) : undefined

const mailCodeHash = ({ config }: Services, code: string): string =>
  hashCode(config.secretKey, mailArrival, code.trim()).toString('hex')

const stateOf = (dates: Parameters<typeof lastWordOf>[0]): contract.SystemPart['State'] => {
  const word = lastWordOf(dates)
  return word === 'unused' ? 'unchecked' : word
}

/** Tests the worker by a job of its own that goes through the queue outside the call’s transaction, which the worker could not see. */
const tryWorker = async ({ pool }: Services): Promise<Tested> => {
  const before = await findBeat(pool)
  return testWorker(
    () => transaction(pool, { accountId: null, programIds: [] }, (db) => enqueue(db, beat, {})),
    async () => (await findBeat(pool)) > before,
  )
}

export const systemRoutes = [
  handle(contract.getSystemStatus, async ({ db, services, from }) => {
    const checks = await findChecks(db)
    const figures = await findSystemFigures(db)
    const { due, failed, emails, failing } = await readBacklog(services)
    const failingOf = (kind: string): number => failing.find(({ part }) => part === kind)?.failing ?? 0
    const arrival = await findMailArrival(db)
    const lastBackup = await findLastBackup(services.pool)
    const measured = (key: contract.SystemPartKey) => (checks.get(key)?.figures ?? {}) as Measured
    const { certificateDays } = measured('https')
    const toDoOf: Partial<Record<contract.SystemPartKey, string>> = {
      https: httpsToDo(
        { isHttps: services.config.appUrl?.startsWith('https:') ?? false, ...measured('https') },
        from,
      ),
      time: timeToDo(measured('time')),
      disk: diskToDo(measured('disk')),
      backup: backupToDo(lastBackup, new Date(figures.now)),
      mail: mailToDo(services.config.smtpUrl !== undefined, arrival),
    }
    const figuresOf: Partial<Record<contract.SystemPartKey, Figures>> = {
      database: [...figure('version', figures.version), ...figure('size', figures.bytes)],
      replica: services.replica
        ? figure('lag', Math.max(0, Math.round(services.replica.lagMs() / 1_000)))
        : [],
      files: figure('free', await freeOf(services, 'files')),
      disk: figure('free', await freeOf(services, 'data')),
      https: figure('days', certificateDays && Math.floor(certificateDays)),
      backup: figure('backupHours', hoursSince(lastBackup?.At, figures.now)),
      worker: [...figure('due', due), ...figure('failed', failed)],
      mail: [
        ...figure('waiting', emails),
        ...figure('givenUp', failingOf('email')),
        ...figure('arrived', arrival?.ArrivedAt ?? undefined),
      ],
    }
    const Parts = contract.systemParts.map((Key): contract.SystemPart => {
      const place = placeOf(services, Key)
      const { last_success_at = null, last_error_at = null, last_error = '' } = checks.get(Key) ?? {}
      const dates = { LastSuccessDate: last_success_at, LastErrorDate: last_error_at }
      const isLate = Key === 'worker' && figures.is_worker_late && last_success_at !== null
      const jobError = Key === 'worker' ? figures.job_error.slice(0, 500) : ''
      const ToDo = toDoOf[Key] ?? ''
      const word = isLate ? 'failing' : stateOf(dates)
      const state = word !== 'failing' && ToDo ? 'attention' : word
      return {
        Key,
        State: place === undefined ? 'off' : state,
        Setting: Key === 'worker' ? 'ROLE' : parts[Key].setting,
        Place: place ?? '',
        Figures: figuresOf[Key] ?? [],
        ...dates,
        LastError: isLate ? lateWorker : last_error || jobError,
        ToDo: word === 'failing' ? '' : ToDo,
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
    return { Version: version, Now: figures.now, RestoredCopy, Parts, Outside }
  }),

  handle(contract.endRestoredCopy, async ({ db, body: { SendsOld } }) => {
    if (!(await endCopy(db, SendsOld))) throw fail(systemFailures.no_copy)
  }),

  handle(contract.confirmMailArrival, async ({ db, body, user, services }) => {
    await throttle(services.pool, [{ key: `system-test:${user.Id}`, max: 60, windowSeconds: quarterHour }])
    const arrival = await findMailArrival(db)
    if (arrival?.Hash !== mailCodeHash(services, body.Code))
      throw fail(systemFailures.wrong_mail_code, 'Code')
    await saveSetting(db, mailArrival, { ...arrival, ArrivedAt: new Date().toISOString() })
  }),

  handle(contract.testSystemPart, async ({ db, params: { part }, user, services, audit }) => {
    if (placeOf(services, part) === undefined) throw fail(systemFailures.part_off)
    await throttle(services.pool, [{ key: `system-test:${user.Id}`, max: 60, windowSeconds: quarterHour }])
    const mailCode = String(randomInt(100_000, 1_000_000))
    const mailTo = user.EmailAddress || undefined
    const { figures, ...result } =
      part === 'worker' ? await tryWorker(services) : await testPart(services, part, { mailTo, mailCode })
    await noteCheck(services.pool, part, result.Steps.find(({ IsOk }) => !IsOk)?.Detail ?? '', figures)
    if (part === 'mail' && mailTo && result.IsOk)
      await saveSetting(db, mailArrival, {
        Hash: mailCodeHash(services, mailCode),
        SentAt: new Date().toISOString(),
        ArrivedAt: (await findMailArrival(db))?.ArrivedAt ?? null,
      })
    audit.detail = { Part: part, IsOk: result.IsOk }
    return result
  }),
]
