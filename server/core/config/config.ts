import { createHmac, randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { claimDataDir } from './data-dir.ts'
import { ConfigError, type Environment } from './environment.ts'
import { readS3Url } from './s3-url.ts'
import { withSecretFiles } from './secret-files.ts'

export { ConfigError, type Environment }

export type Role = 'all' | 'web' | 'worker'
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'

/** Backups that the worker makes by the clock. */
export type BackupPlan = Readonly<{
  /** Absolute path. */
  folder: string
  /** So often, or at this minute of the machine's day. */
  every: Readonly<{ hours: number } | { atMinutes: number }>
  keep: number
  /** Of age; none, and backups are not encrypted. */
  recipients: readonly string[]
}>

/** All that can be set from outside; frozen, read once at the start. */
export type Config = Readonly<{
  /** 0 lets the system choose a free port. */
  port: number
  host: string
  /** '' or a path such as '/practicum': a slash in front, none behind. */
  appRoot: string
  /** Public origin such as 'https://practicum.example.edu', without `appRoot`. */
  appUrl?: string
  /** Absolute path. */
  dataDir: string
  databaseUrl?: string
  /** A replica of it that reports are read from. */
  databaseReadUrl?: string
  /** A `file:///` or `s3://` address. */
  filesUrl: string
  backups?: BackupPlan
  smtpUrl?: string
  mailFrom: string
  /** Where mail servers send back what they cannot deliver; a mark of each email is added behind a plus. */
  mailReturnPath?: string
  /** Where this installation takes what comes back; absent, it does not listen. */
  bouncePort?: number
  bounceHost: string
  /** A clamd that looks at every document that people send, such as clamd://127.0.0.1:3310. */
  virusScannerUrl?: string
  /** Whom push services may ask about messages of this installation: `mailto:` or `https:`. */
  pushContact?: string
  /** Networks beside the public internet that webhooks may be sent to, such as 10.1.0.0/16. */
  webhookAllow: readonly string[]
  /** IP addresses, networks such as 10.0.0.0/8, or the names loopback, linklocal, uniquelocal. */
  trustProxy: readonly string[]
  role: Role
  /** How long a process that is to stop still answers while `/readyz` says that it is no longer ready. */
  drainSeconds: number
  demo: boolean
  /** Absent only before `loadConfig` has made or read the one in `dataDir`. */
  secretKey?: string
  mapTilesUrl?: string
  /** `widgetUrl` is the script that shows the chat; without it only the token call works. */
  zendesk?: Readonly<{ keyId: string; secret: string; widgetUrl?: string }>
  /** Where traces go, an OpenTelemetry collector; absent, none are made. */
  tracesUrl?: string
  /** What OpenTelemetry sends along, `name=value` with commas between, percent-encoded. */
  tracesHeaders?: string
  logLevel: LogLevel
  /** Sentences for whoever starts the program about what works and should not stay so. */
  warnings: readonly string[]
}>

export type LoadedConfig = Config & Readonly<{ secretKey: string }>

const roles: readonly Role[] = ['all', 'web', 'worker']
const logLevels: readonly LogLevel[] = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']
const minimumSecretLength = 32

/**
 * Reads the environment, and the files that it names for secrets (`SECRET_KEY_FILE` and the like). An empty value counts as absent, because that is how
 * compose files and shells leave out a variable.
 *
 * @throws ConfigError for the first unusable value
 */
export function readConfig(environment: Environment): Config {
  const { env, warnings } = withSecretFiles(environment)
  const dataDir = resolve(text(env, 'DATA_DIR') ?? 'data')
  const appRoot = readAppRoot(env)
  const databaseUrl = readDatabaseUrl(env)
  const secretKey = readSecretKey(env, databaseUrl !== undefined)
  return Object.freeze({
    port: readPort(env),
    host: readHost(env),
    appRoot,
    appUrl: readAppUrl(env, appRoot),
    dataDir,
    databaseUrl,
    databaseReadUrl: readReplicaUrl(env, databaseUrl !== undefined),
    filesUrl: readFilesUrl(env, dataDir),
    ...readBackups(env),
    smtpUrl: readSmtpUrl(env),
    mailFrom: readMailFrom(env),
    ...readBounces(env),
    virusScannerUrl: readUrl(
      env,
      'VIRUS_SCANNER_URL',
      ['clamd:'],
      'it is the address of a clamd, such as clamd://127.0.0.1:3310',
    )?.href,
    pushContact: readUrl(
      env,
      'PUSH_CONTACT',
      ['mailto:', 'https:'],
      'it is an address such as mailto:help@example.edu or https://example.edu/help',
    )?.href,
    webhookAllow: readWebhookAllow(env),
    trustProxy: readTrustProxy(env),
    role: oneOf(env, 'ROLE', roles) ?? 'all',
    drainSeconds: readDrainSeconds(env, databaseUrl === undefined ? '0' : '5'),
    demo: (oneOf(env, 'DEMO', ['0', '1']) ?? (databaseUrl === undefined ? '1' : '0')) === '1',
    secretKey,
    mapTilesUrl: readMapTilesUrl(env),
    zendesk: readZendesk(env),
    tracesUrl: readUrl(
      env,
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      ['http:', 'https:'],
      'it is the address of an OpenTelemetry collector, such as http://127.0.0.1:4318',
    )?.href,
    tracesHeaders: text(env, 'OTEL_EXPORTER_OTLP_HEADERS'),
    logLevel: oneOf(env, 'LOG_LEVEL', logLevels) ?? 'info',
    warnings,
  })
}

/**
 * Reads `.env` (the environment wins over the file), then the environment, and completes it with the secret key, which
 * is made and kept in `DATA_DIR/secret.key` when `SECRET_KEY` is absent.
 *
 * @throws ConfigError for an unusable value, DataDirError when `DATA_DIR` cannot be used
 */
export function loadConfig(envFile = '.env'): LoadedConfig {
  if (existsSync(envFile)) process.loadEnvFile(envFile)
  const config = readConfig(process.env)
  if (config.secretKey !== undefined) return { ...config, secretKey: config.secretKey }
  claimDataDir(config.dataDir)
  return Object.freeze({ ...config, secretKey: keepSecretKey(config.dataDir) })
}

/**
 * Reads the key in `DATA_DIR/secret.key` or makes it. Linking a finished file in place lets processes that start at the
 * same moment agree on one key.
 */
export function keepSecretKey(dataDir: string): string {
  const path = join(dataDir, 'secret.key')
  if (!existsSync(path)) {
    const draft = join(dataDir, `secret.key.${process.pid}`)
    writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true })
    try {
      linkSync(draft, path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      rmSync(draft, { force: true })
    }
  }
  const key = readFileSync(path, 'utf8').trim()
  if (key.length < minimumSecretLength) {
    throw new ConfigError(
      `The file secret.key in DATA_DIR (${dataDir}) is damaged: put it back from a backup, or set SECRET_KEY.`,
    )
  }
  return key
}

/** A key for one purpose, so that knowing a derived key tells nothing about `SECRET_KEY` or the others. */
export function deriveKey(secretKey: string, purpose: string): Buffer {
  return createHmac('sha256', secretKey).update(purpose).digest()
}

function text(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim()
  return value === '' ? undefined : value
}

function fail(name: string, value: string, wanted: string): never {
  throw new ConfigError(`${name} cannot be ${JSON.stringify(value)}: ${wanted}.`)
}

function oneOf<T extends string>(env: Environment, name: string, allowed: readonly T[]): T | undefined {
  const value = text(env, name)
  if (value === undefined) return undefined
  const found = allowed.find((one) => one === value)
  return found ?? fail(name, value, `it is one of ${allowed.join(', ')}`)
}

function readPort(env: Environment, name = 'PORT', initial = '8080'): number {
  const value = text(env, name) ?? initial
  const port = /^\d{1,5}$/.test(value) ? Number(value) : -1
  return port >= 0 && port <= 65_535 ? port : fail(name, value, 'it is a whole number from 0 to 65535')
}

function readDrainSeconds(env: Environment, initial: string): number {
  const value = text(env, 'DRAIN_SECONDS') ?? initial
  const seconds = /^\d{1,3}$/.test(value) ? Number(value) : -1
  return seconds >= 0 && seconds <= 300
    ? seconds
    : fail('DRAIN_SECONDS', value, 'it is a whole number from 0 to 300')
}

function readHost(env: Environment, name = 'HOST', initial = '127.0.0.1'): string {
  const value = text(env, name) ?? initial
  const isName = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(value) && !/^[\d.]+$/.test(value)
  return isIP(value) !== 0 || isName ? value : fail(name, value, 'it is an IP address or a host name')
}

function readAppRoot(env: Environment): string {
  const value = text(env, 'APP_ROOT') ?? ''
  const root = value.replace(/\/$/, '')
  if (root === '' || /^(\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+$/.test(root)) return root
  return fail('APP_ROOT', value, 'it is empty or a path with a slash in front, such as /practicum')
}

function readUrl(
  env: Environment,
  name: string,
  schemes: readonly string[],
  wanted: string,
): URL | undefined {
  const value = text(env, name)
  if (value === undefined) return undefined
  const url = URL.parse(value)
  if (!url || !schemes.includes(url.protocol)) return fail(name, withoutPassword(value), wanted)
  return url
}

function readAppUrl(env: Environment, appRoot: string): string | undefined {
  const wanted = 'it is the public address of the server, such as https://practicum.example.edu'
  const url = readUrl(env, 'APP_URL', ['http:', 'https:'], wanted)
  if (!url) return undefined
  const path = url.pathname.replace(/\/$/, '')
  const isPlain = url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (!isPlain) return fail('APP_URL', withoutPassword(url.href), wanted)
  if (path !== '' && path !== appRoot) return fail('APP_URL', url.href, 'its path belongs into APP_ROOT')
  return url.origin
}

function readDatabaseUrl(env: Environment): string | undefined {
  const wanted =
    'it is the address of a PostgreSQL database, such as postgresql://user:password@host:5432/practicum'
  const url = readUrl(env, 'DATABASE_URL', ['postgres:', 'postgresql:'], wanted)
  if (!url) return undefined
  if (url.username === '' || url.pathname.length < 2)
    return fail('DATABASE_URL', withoutPassword(url.href), wanted)
  return url.href
}

function readReplicaUrl(env: Environment, isServed: boolean): string | undefined {
  const wanted =
    'it is the address of a replica of the database of DATABASE_URL, such as postgresql://replica:5432/practicum'
  const url = readUrl(env, 'DATABASE_READ_URL', ['postgres:', 'postgresql:'], wanted)
  if (url && !isServed)
    throw new ConfigError('DATABASE_READ_URL needs DATABASE_URL: the embedded database has no replicas.')
  return url?.href
}

function readSecretKey(env: Environment, isRequired: boolean): string | undefined {
  const value = text(env, 'SECRET_KEY')
  if (value === undefined) {
    if (!isRequired) return undefined
    throw new ConfigError(
      'SECRET_KEY is missing: with DATABASE_URL every process needs the same one, at least 32 characters long.',
    )
  }
  if (value.length < minimumSecretLength) {
    throw new ConfigError(`SECRET_KEY is too short: it needs at least ${minimumSecretLength} characters.`)
  }
  return value
}

function readFilesUrl(env: Environment, dataDir: string): string {
  const value = text(env, 'FILES_URL')
  if (value === undefined) return pathToFileURL(join(dataDir, 'files')).href
  const wanted = 'it is a folder such as file:///srv/files, or s3://bucket?endpoint=https://…'
  if (value.startsWith('file:') && !value.startsWith('file:/')) {
    const folder = value.slice('file:'.length)
    return folder === '' ? fail('FILES_URL', value, wanted) : pathToFileURL(resolve(folder)).href
  }
  if (isAbsolute(value)) return pathToFileURL(value).href
  // A value was given, so this is an address or a failure.
  const url = readUrl(env, 'FILES_URL', ['file:', 's3:'], wanted)!
  if (url.protocol === 'file:') {
    try {
      return pathToFileURL(fileURLToPath(url)).href
    } catch {
      return fail('FILES_URL', value, wanted)
    }
  }
  const place = readS3Url(url)
  return 'problem' in place ? fail('FILES_URL', withoutPassword(value), place.problem) : url.href
}

function readBackups(env: Environment): Pick<Config, 'backups'> {
  const folder = text(env, 'BACKUP_DIR')
  if (folder === undefined) {
    const stray = ['BACKUP_EVERY', 'BACKUP_KEEP', 'BACKUP_RECIPIENT'].find(
      (name) => text(env, name) !== undefined,
    )
    if (stray === undefined) return {}
    throw new ConfigError(`BACKUP_DIR is missing: ${stray} is set without it.`)
  }
  const kept = text(env, 'BACKUP_KEEP') ?? '7'
  const keep = /^\d{1,4}$/.test(kept) ? Number(kept) : 0
  if (keep < 1) fail('BACKUP_KEEP', kept, 'it is how many backups are kept, from 1 to 9999')
  const recipients = text(env, 'BACKUP_RECIPIENT')?.split(/[\s,]+/) ?? []
  const odd = recipients.find((one) => !/^age1[a-z0-9]+$/.test(one))
  if (odd !== undefined) fail('BACKUP_RECIPIENT', odd, 'it is a public key of age, such as age1…')
  return {
    backups: Object.freeze({ folder: resolve(folder), every: readEvery(env), keep, recipients }),
  }
}

function readEvery(env: Environment): BackupPlan['every'] {
  const value = text(env, 'BACKUP_EVERY') ?? '24h'
  const [, count, unit] = /^(\d{1,3})([hd])$/.exec(value) ?? []
  const hours = Number(count) * (unit === 'd' ? 24 : 1)
  if (hours > 0) return { hours }
  const [, clock, minute] = /^(\d{1,2}):(\d{2})$/.exec(value) ?? []
  return Number(clock) < 24 && Number(minute) < 60
    ? { atMinutes: Number(clock) * 60 + Number(minute) }
    : fail('BACKUP_EVERY', value, 'it is a time such as 24h or 7d, or a time of day such as 02:30')
}

function readSmtpUrl(env: Environment): string | undefined {
  const wanted = 'it is the address of a mail server, such as smtp://user:password@host:587'
  const url = readUrl(env, 'SMTP_URL', ['smtp:', 'smtps:'], wanted)
  if (!url) return undefined
  return url.hostname === '' ? fail('SMTP_URL', withoutPassword(url.href), wanted) : url.href
}

function readMailFrom(env: Environment): string {
  const value = text(env, 'MAIL_FROM') ?? 'Practicum <no-reply@localhost>'
  const isAddress = /^[^<>@\s]+@[^<>@\s]+$/.test(value) || /^[^<>\r\n]+ <[^<>@\s]+@[^<>@\s]+>$/.test(value)
  return isAddress
    ? value
    : fail('MAIL_FROM', value, 'it is an address such as Practicum <practicum@example.edu>')
}

function readBounces(env: Environment): Pick<Config, 'mailReturnPath' | 'bouncePort' | 'bounceHost'> {
  const mailReturnPath = text(env, 'MAIL_RETURN_PATH')
  if (mailReturnPath !== undefined && !/^[a-z0-9._-]+@[a-z0-9.-]+$/i.test(mailReturnPath))
    fail('MAIL_RETURN_PATH', mailReturnPath, 'it is an address such as bounces@practicum.example.edu')
  const isListening = text(env, 'BOUNCE_PORT') !== undefined
  if (isListening && mailReturnPath === undefined)
    throw new ConfigError('MAIL_RETURN_PATH is missing: BOUNCE_PORT is set without it.')
  return {
    mailReturnPath,
    ...(isListening && { bouncePort: readPort(env, 'BOUNCE_PORT') }),
    bounceHost: readHost(env, 'BOUNCE_HOST'),
  }
}

function readTrustProxy(env: Environment): readonly string[] {
  const value = text(env, 'TRUST_PROXY')
  if (value === undefined) return Object.freeze([])
  const proxies = value.split(',').map((one) => one.trim())
  const unusable = proxies.find((one) => !isProxy(one))
  if (unusable !== undefined) {
    return fail(
      'TRUST_PROXY',
      value,
      'it is a list of IP addresses or networks, such as 10.0.0.4, 10.1.0.0/16',
    )
  }
  return Object.freeze(proxies)
}

function readWebhookAllow(env: Environment): readonly string[] {
  const value = text(env, 'WEBHOOK_ALLOW')
  const networks = value?.split(',').map((one) => one.trim()) ?? []
  if (value !== undefined && !networks.every(isNetwork))
    return fail(
      'WEBHOOK_ALLOW',
      value,
      'it is a list of IP addresses or networks, such as 10.0.0.4, 10.1.0.0/16',
    )
  return Object.freeze(networks)
}

function isProxy(value: string): boolean {
  return ['loopback', 'linklocal', 'uniquelocal'].includes(value) || isNetwork(value)
}

function isNetwork(value: string): boolean {
  const [address = '', prefix, ...rest] = value.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128))
}

function readMapTilesUrl(env: Environment): string | undefined {
  const value = text(env, 'MAP_TILES_URL')
  if (value === undefined) return undefined
  const isTemplate = /^https?:\/\//.test(value) && ['{z}', '{x}', '{y}'].every((part) => value.includes(part))
  return isTemplate
    ? value
    : fail(
        'MAP_TILES_URL',
        value,
        'it is an address with {z}, {x} and {y}, such as https://host/{z}/{x}/{y}.png',
      )
}

function readZendesk(env: Environment): Config['zendesk'] {
  const keyId = text(env, 'ZENDESK_KEY_ID')
  const secret = text(env, 'ZENDESK_SECRET')
  if (keyId === undefined && secret === undefined) {
    if (text(env, 'ZENDESK_WIDGET_URL') === undefined) return undefined
    throw new ConfigError('ZENDESK_KEY_ID is missing: ZENDESK_WIDGET_URL is set without it.')
  }
  if (keyId === undefined)
    throw new ConfigError('ZENDESK_KEY_ID is missing: ZENDESK_SECRET is set without it.')
  if (secret === undefined)
    throw new ConfigError('ZENDESK_SECRET is missing: ZENDESK_KEY_ID is set without it.')
  const widgetUrl = readWidgetUrl(env)
  return Object.freeze({ keyId, secret, ...(widgetUrl && { widgetUrl }) })
}

function readWidgetUrl(env: Environment): string | undefined {
  const value = text(env, 'ZENDESK_WIDGET_URL')
  if (value === undefined) return undefined
  const url = URL.canParse(value) ? new URL(value) : undefined
  const isLoopback = url?.hostname === 'localhost' || url?.hostname === '127.0.0.1'
  return url && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback))
    ? url.href
    : fail(
        'ZENDESK_WIDGET_URL',
        withoutPassword(value),
        "it is the https address of the chat's script, such as https://static.zdassets.com/ekr/snippet.js?key=…",
      )
}

/** Messages end up in logs; a password inside an address must not. */
function withoutPassword(value: string): string {
  return value
    .replace(/^([a-z0-9+.-]*:\/\/)?[^/\s]*@/i, '$1…@')
    .replace(/(secret|password|key)([^=&]*)=[^&]*/gi, '$1$2=…')
}
