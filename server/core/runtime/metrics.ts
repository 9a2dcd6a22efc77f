import { sql } from 'kysely'
import type pg from 'pg'
import type PromClient from 'prom-client'
import { reading } from '#server/core/database/pool.ts'
import { freeBytesOf, ownFolders } from './disk.ts'
import { readOutsideParts } from './installation.across.ts'
import { onDemand, packageOnDemand } from './on-demand.ts'
import type { Services } from './services.ts'

const client = packageOnDemand<typeof PromClient>('prom-client')

/** Nothing is counted before the first answer. */
const figures = onDemand(() => {
  const { Counter, collectDefaultMetrics, Gauge, Histogram, Registry, Summary } = client()
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]

  const seconds = new Histogram({
    name: 'practicum_request_seconds',
    help: 'Time to answer a request, by status.',
    labelNames: ['status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })
  // A histogram of each of a thousand routes would be nine thousand lines.
  const routeSeconds = new Summary({
    name: 'practicum_route_seconds',
    help: 'Time to answer requests, as a sum and a count by route and status.',
    labelNames: ['method', 'route', 'status'],
    percentiles: [],
    registers,
  })
  const slowStatements = new Counter({
    name: 'practicum_slow_statements_total',
    help: 'Statements that took longer than 250 ms, by name; the log has the text of each once a minute.',
    labelNames: ['name'],
    registers,
  })
  const slowSeconds = new Counter({
    name: 'practicum_slow_statement_seconds_total',
    help: 'Time that the slow statements took, by name.',
    labelNames: ['name'],
    registers,
  })
  const connections = new Gauge({
    name: 'practicum_pool_connections',
    help: 'Connections to the database, by pool: open, and of them idle.',
    labelNames: ['pool', 'state'],
    registers,
  })
  const waiting = new Gauge({
    name: 'practicum_pool_waiting',
    help: 'Callers that wait for a connection, by pool.',
    labelNames: ['pool'],
    registers,
  })
  const heavy = new Gauge({
    name: 'practicum_heavy_calls',
    help: 'Heavy calls of this process that run, and that wait their turn.',
    labelNames: ['state'],
    registers,
  })
  const isUp = new Gauge({
    name: 'practicum_database_up',
    help: '1 when the database answered this question, else 0; then the figures from the database are missing.',
    registers,
  })
  const releasedJobs = new Counter({
    name: 'practicum_jobs_released_total',
    help: 'Jobs of workers that died, which this process gave back to be begun again.',
    registers,
  })
  const jobs = new Gauge({
    name: 'practicum_jobs',
    help: 'Background jobs of the installation: due, running, and given up after their last attempt.',
    labelNames: ['state'],
    registers,
  })
  const jobAge = new Gauge({
    name: 'practicum_job_age_seconds',
    help: 'How long the job has been due that has waited longest.',
    registers,
  })
  const emails = new Gauge({
    name: 'practicum_emails_due',
    help: 'Emails of the installation that should have been sent by now.',
    registers,
  })
  const emailAge = new Gauge({
    name: 'practicum_email_age_seconds',
    help: 'How long the email has been due that has waited longest.',
    registers,
  })
  const replicaLag = new Gauge({
    name: 'practicum_replica_lag_seconds',
    help: 'How far the replica is behind, to the second; above 30 it is not read. Missing without a replica.',
    registers,
  })
  const reports = new Counter({
    name: 'practicum_reports_total',
    help: 'Reports and exports, by the database that answered them; only where there is a replica.',
    labelNames: ['from'],
    registers,
  })
  const readsWithoutPrimary = new Counter({
    name: 'practicum_reads_without_primary_total',
    help: 'Calls that the replica answered because the primary was away.',
    registers,
  })
  const webhooks = new Counter({
    name: 'practicum_webhook_attempts_total',
    help: 'Attempts of this process to deliver an event to a webhook, by what came of them.',
    labelNames: ['outcome'],
    registers,
  })
  const pushes = new Counter({
    name: 'practicum_pushes_total',
    help: 'Attempts of this process to send a push notification, by what came of them; gone is a device whose address has ended.',
    labelNames: ['outcome'],
    registers,
  })
  const collegeSignIns = new Counter({
    name: 'practicum_college_sign_ins_total',
    help: 'Answers of colleges by SAML and OpenID Connect and launches by LTI that this process took, by what came of them.',
    labelNames: ['kind', 'outcome'],
    registers,
  })
  const ltiRegistrations = new Counter({
    name: 'practicum_lti_registrations_total',
    help: 'Registration addresses that learning management systems opened, by what came of them.',
    labelNames: ['outcome'],
    registers,
  })
  const scimCalls = new Counter({
    name: 'practicum_scim_calls_total',
    help: 'Calls of directories (SCIM) that this process answered, by method and status.',
    labelNames: ['method', 'status'],
    registers,
  })
  const keyCalls = new Counter({
    name: 'practicum_api_key_calls_total',
    help: 'Calls with an API key that this process took, by what came of the key: admitted, or why it was refused.',
    labelNames: ['outcome'],
    registers,
  })
  const virusScans = new Counter({
    name: 'practicum_virus_scans_total',
    help: 'Files that this process gave to the virus scanner, by what it said; only where there is one.',
    labelNames: ['outcome'],
    registers,
  })
  const webhooksWaiting = new Gauge({
    name: 'practicum_webhooks_waiting',
    help: 'Events of the installation that wait for an endpoint.',
    registers,
  })
  const webhookAge = new Gauge({
    name: 'practicum_webhook_age_seconds',
    help: 'How long ago the event happened that has waited longest for an endpoint.',
    registers,
  })
  const eventAge = new Gauge({
    name: 'practicum_event_age_seconds',
    help: 'How long ago the change was saved that some subscriber has not heard of for longest: emails, webhooks or pushes about it wait.',
    registers,
  })
  const certificateDays = new Gauge({
    name: 'practicum_tls_days_left',
    help: 'Days that the certificate of APP_URL lasts, as the worker last read it. Missing without https.',
    // Without a label it would begin at 0.
    labelNames: ['host'],
    registers,
  })
  const freeBytes = new Gauge({
    name: 'practicum_disk_free_bytes',
    help: 'Room on the disks of this process: of DATA_DIR (data), and of FILES_URL where it is a folder (files).',
    labelNames: ['of'],
    registers,
  })
  const clockSkew = new Gauge({
    name: 'practicum_clock_skew_seconds',
    help: 'How far the clock of the database is ahead of the clock of this process.',
    registers,
  })
  const failingParts = new Gauge({
    name: 'practicum_outside_failing',
    help: 'Connections of colleges, directories, webhooks and push services of the installation whose last word is an error, its own parts whose last check failed, webhooks that were switched off, and emails given up within a day, by part.',
    labelNames: ['part'],
    registers,
  })
  const backupAge = new Gauge({
    name: 'practicum_backup_age_seconds',
    help: 'How long ago the last scheduled backup was made that was read back; 0 before the first.',
    registers,
  })
  const backupFailed = new Gauge({
    name: 'practicum_backup_failed',
    help: '1 while the last try to make a scheduled backup failed, 0 otherwise.',
    registers,
  })
  return {
    registry,
    seconds,
    slowStatements,
    slowSeconds,
    connections,
    waiting,
    heavy,
    routeSeconds,
    isUp,
    releasedJobs,
    jobs,
    jobAge,
    emails,
    emailAge,
    replicaLag,
    reports,
    readsWithoutPrimary,
    webhooks,
    pushes,
    collegeSignIns,
    ltiRegistrations,
    scimCalls,
    keyCalls,
    virusScans,
    webhooksWaiting,
    webhookAge,
    eventAge,
    certificateDays,
    freeBytes,
    clockSkew,
    failingParts,
    backupAge,
    backupFailed,
  }
})

/** What the whole installation has not done yet. `locked_at` of a job that a killed worker held is old. */
export const readBacklog = async ({ pool }: Pick<Services, 'pool'>) => {
  const outside = readOutsideParts(pool)
  const own = reading(pool, { accountId: null, programIds: [], isMailer: true }, async (db) => {
    const { rows } = await sql<{
      due: number
      running: number
      failed: number
      job_age: number
      emails: number
      email_age: number
      backup_age: number
      backup_failed: number
      now: number
    }>`
      select j.*, m.*, b.*, extract(epoch from clock_timestamp())::float8 as now from (
        select coalesce(max(extract(epoch from now() - (value ->> 'At')::timestamptz)), 0)::float8 as backup_age,
          count(value ->> 'Error')::integer as backup_failed
        from setting where name = 'backup.last') b, (
        select count(*) filter (where locked_at is null and run_at <= now() and attempts < max_attempts) as due,
          count(*) filter (where locked_at is not null) as running,
          count(*) filter (where locked_at is null and attempts >= max_attempts) as failed,
          coalesce(extract(epoch from now() - min(run_at) filter (where locked_at is null and run_at <= now() and attempts < max_attempts)), 0)::float8 as job_age
        from graphile_worker.jobs) j, (
        select count(*) as emails, coalesce(extract(epoch from now() - min(send_after)), 0)::float8 as email_age
        from mail where status in (1, 2) and send_after <= now()) m`.execute(db)
    return rows[0]!
  })
  const [waiting, parts] = await Promise.all([own, outside])
  return { ...waiting, ...parts }
}

const gatherPools = (pools: Readonly<Record<string, pg.Pool>>): void => {
  const { connections, waiting } = figures()
  for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
    connections.set({ pool, state: 'open' }, totalCount)
    connections.set({ pool, state: 'idle' }, idleCount)
    waiting.set({ pool }, waitingCount)
  }
}

const gatherBacklog = async (services: Services): Promise<void> => {
  const {
    backupAge,
    backupFailed,
    isUp,
    jobs,
    jobAge,
    emails,
    emailAge,
    webhooksWaiting,
    webhookAge,
    eventAge,
    failingParts,
  } = figures()
  const { certificateDays, clockSkew } = figures()
  certificateDays.reset()
  for (const each of [
    jobs,
    jobAge,
    emails,
    emailAge,
    webhooksWaiting,
    webhookAge,
    eventAge,
    failingParts,
    backupAge,
    backupFailed,
  ])
    each.reset()
  const asked = Date.now()
  const backlog = await readBacklog(services).catch(() => undefined)
  isUp.set(backlog ? 1 : 0)
  if (!backlog) return
  clockSkew.set(backlog.now - (asked + Date.now()) / 2_000)
  const { appUrl } = services.config
  if (appUrl && backlog.certificate_days !== null)
    certificateDays.set({ host: new URL(appUrl).host }, backlog.certificate_days)
  jobs.set({ state: 'due' }, backlog.due)
  jobs.set({ state: 'running' }, backlog.running)
  jobs.set({ state: 'failed' }, backlog.failed)
  jobAge.set(backlog.job_age)
  emails.set(backlog.emails)
  emailAge.set(backlog.email_age)
  backupAge.set(backlog.backup_age)
  backupFailed.set(backlog.backup_failed)
  webhooksWaiting.set(backlog.webhooks)
  webhookAge.set(backlog.webhook_age)
  eventAge.set(backlog.event_age)
  for (const { part, failing } of backlog.failing) failingParts.set({ part }, failing)
}

const gatherRoom = async ({ config }: Services): Promise<void> => {
  const rooms = await Promise.all(
    ownFolders(config).map(async ({ of, folder }) => ({ of, free: await freeBytesOf(folder) })),
  )
  const { freeBytes } = figures()
  freeBytes.reset()
  for (const { of, free } of rooms) if (free !== undefined) freeBytes.set({ of }, free)
}

const observed = (method: string, route: string, status: string, took: number): void => {
  figures().seconds.observe({ status }, took)
  figures().routeSeconds.observe({ method, route, status }, took)
}

/** The figures of `/metrics`, for Prometheus. What is counted lives as long as the process. */
export const metrics = {
  /** Loads what counts, which nobody should wait for. */
  begin: (): void => void figures(),
  observe: (method: string, route: string, status: number, milliseconds: number): void =>
    observed(method, route, String(status), milliseconds / 1000),
  slowStatement: (name: string, milliseconds: number): void => {
    figures().slowStatements.inc({ name })
    figures().slowSeconds.inc({ name }, milliseconds / 1000)
  },
  report: (from: 'primary' | 'replica'): void => figures().reports.inc({ from }),
  collegeSignIn: (kind: 'saml' | 'oidc' | 'lti', outcome: string): void =>
    figures().collegeSignIns.inc({ kind, outcome }),
  ltiRegistration: (outcome: 'registered' | 'refused'): void => figures().ltiRegistrations.inc({ outcome }),
  scimCall: (method: string, status: number): void =>
    figures().scimCalls.inc({ method, status: String(status) }),
  apiKey: (outcome: 'admitted' | 'unknown' | 'expired' | 'network' | 'owner'): void =>
    figures().keyCalls.inc({ outcome }),
  releasedJobs: (count: number): void => figures().releasedJobs.inc(count),
  virusScan: (outcome: 'clean' | 'found' | 'unreachable'): void => figures().virusScans.inc({ outcome }),
  webhook: (outcome: 'delivered' | 'failed'): void => figures().webhooks.inc({ outcome }),
  push: (outcome: 'sent' | 'dropped' | 'gone' | 'failed' | 'put off'): void =>
    figures().pushes.inc({ outcome }),
  readWithoutPrimary: (): void => figures().readsWithoutPrimary.inc(),
  /** In the text format of Prometheus, with what the pools and the database say at this moment. */
  text: async (services: Services): Promise<string> => {
    const { transactions, pool, heavyCalls, replica } = services
    const [pages, files] = [heavyCalls.pages.counts(), heavyCalls.files.counts()]
    figures().heavy.set({ state: 'running' }, pages.running + files.running)
    figures().heavy.set({ state: 'waiting' }, pages.waiting + files.waiting)
    await gatherRoom(services)
    await gatherBacklog(services)
    gatherPools({ calls: transactions, others: pool, ...(replica && { replica: replica.pool }) })
    figures().replicaLag.reset()
    if (replica) figures().replicaLag.set(replica.lagMs() / 1000)
    return figures().registry.metrics()
  },
}
