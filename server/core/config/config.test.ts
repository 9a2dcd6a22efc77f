import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ConfigError, keepSecretKey, loadConfig, readConfig } from './config.ts'
import { claimDataDir, DataDirError } from './data-dir.ts'
import { secretSettings } from './secret-files.ts'

const secret = 'k'.repeat(32)
const served = { DATABASE_URL: 'postgresql://owner:pw@db:5432/practicum', SECRET_KEY: secret }

describe('an empty environment', () => {
  test('gives the documented defaults', () => {
    expect(readConfig({})).toEqual({
      port: 8080,
      host: '127.0.0.1',
      appRoot: '',
      dataDir: resolve('data'),
      filesUrl: pathToFileURL(resolve('data/files')).href,
      mailFrom: 'Practicum <no-reply@localhost>',
      bounceHost: '127.0.0.1',
      webhookAllow: [],
      trustProxy: [],
      role: 'all',
      drainSeconds: 0,
      demo: true,
      logLevel: 'info',
      warnings: [],
    })
  })

  test('and one with empty values are the same', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: ' ', SECRET_KEY: '', ROLE: '' })).toEqual(readConfig({}))
  })

  test('cannot be changed after it was read', () => {
    expect(Object.isFrozen(readConfig({}))).toBe(true)
    expect(Object.isFrozen(readConfig({ TRUST_PROXY: '::1' }).trustProxy)).toBe(true)
  })
})

describe('usable values', () => {
  test.each([
    [{ PORT: '0' }, { port: 0 }],
    [{ PORT: '65535' }, { port: 65_535 }],
    [{ HOST: '::' }, { host: '::' }],
    [{ HOST: 'localhost' }, { host: 'localhost' }],
    [{ APP_ROOT: '/' }, { appRoot: '' }],
    [{ APP_ROOT: '/a/b-2/' }, { appRoot: '/a/b-2' }],
    [{ APP_URL: 'https://Practicum.example.edu/' }, { appUrl: 'https://practicum.example.edu' }],
    [
      { APP_URL: 'https://x.edu/clinic', APP_ROOT: '/clinic' },
      { appUrl: 'https://x.edu', appRoot: '/clinic' },
    ],
    [served, { databaseUrl: served.DATABASE_URL, secretKey: secret, demo: false }],
    [{ ...served, DEMO: '1' }, { demo: true }],
    [{ DEMO: '0' }, { demo: false }],
    [
      { BACKUP_DIR: '/srv/backups' },
      { backups: { folder: '/srv/backups', every: { hours: 24 }, keep: 7, recipients: [] } },
    ],
    [
      { BACKUP_DIR: '/b', BACKUP_EVERY: '2d', BACKUP_KEEP: '30', BACKUP_RECIPIENT: 'age1a, age1b' },
      { backups: { folder: '/b', every: { hours: 48 }, keep: 30, recipients: ['age1a', 'age1b'] } },
    ],
    [
      { BACKUP_DIR: '/b', BACKUP_EVERY: '02:30' },
      { backups: { folder: '/b', every: { atMinutes: 150 }, keep: 7, recipients: [] } },
    ],
    [{ FILES_URL: 'file:/srv/files' }, { filesUrl: 'file:///srv/files' }],
    [{ FILES_URL: '/srv/some files' }, { filesUrl: 'file:///srv/some%20files' }],
    [{ FILES_URL: 'file:some/files' }, { filesUrl: pathToFileURL(resolve('some/files')).href }],
    [{ FILES_URL: 's3://b?endpoint=http://h:9000' }, { filesUrl: 's3://b?endpoint=http://h:9000' }],
    [{ MAIL_FROM: 'a@b.edu' }, { mailFrom: 'a@b.edu' }],
    [{ TRUST_PROXY: '10.0.0.1, fd00::/8,loopback' }, { trustProxy: ['10.0.0.1', 'fd00::/8', 'loopback'] }],
    [{ ZENDESK_KEY_ID: 'id', ZENDESK_SECRET: 's' }, { zendesk: { keyId: 'id', secret: 's' } }],
    [
      { ZENDESK_KEY_ID: 'id', ZENDESK_SECRET: 's', ZENDESK_WIDGET_URL: 'https://chat.example/a.js?key=1' },
      { zendesk: { keyId: 'id', secret: 's', widgetUrl: 'https://chat.example/a.js?key=1' } },
    ],
    [{ MAP_TILES_URL: 'https://t/{z}/{x}/{y}.png' }, { mapTilesUrl: 'https://t/{z}/{x}/{y}.png' }],
    [{ ROLE: 'worker' }, { role: 'worker' }],
    [{ LOG_LEVEL: 'silent' }, { logLevel: 'silent' }],
  ])('%o', (env, expected) => {
    expect(readConfig(env as Record<string, string>)).toMatchObject(expected)
  })
})

test('a message about FILES_URL does not repeat the key in it', () => {
  const FILES_URL = 's3://bucket?secretAccessKey=wJalrXUtnFEMI'
  expect(() => readConfig({ FILES_URL })).toThrow(
    /^FILES_URL cannot be "s3:[^\n]+secretAccessKey=…": [^\n]+\.$/,
  )
  expect(() => readConfig({ FILES_URL })).not.toThrow(/wJalr/)
})

describe('an unusable value is refused in one sentence that names the variable', () => {
  test.each([
    ['PORT', 'abc'],
    ['PORT', '99999'],
    ['DRAIN_SECONDS', '301'],
    ['DRAIN_SECONDS', 'soon'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PORT', '0x50'],
    ['HOST', 'not a host'],
    ['HOST', '300.1.1.1'],
    ['APP_ROOT', 'practicum'],
    ['APP_ROOT', '/a//b'],
    ['APP_ROOT', '/../x'],
    ['APP_URL', 'practicum.example.edu'],
    ['APP_URL', 'ftp://x.edu'],
    ['APP_URL', 'https://x.edu/elsewhere'],
    ['APP_URL', 'https://user:secret@x.edu'],
    ['APP_URL', 'https://x.edu/?a=b'],
    ['DATABASE_URL', 'mysql://u:secret@h/d'],
    ['DATABASE_URL', 'nonsense'],
    ['DATABASE_URL', 'postgresql://host'],
    ['FILES_URL', 'ftp://x'],
    ['FILES_URL', 'file:'],
    ['FILES_URL', 'file://host/share'],
    ['FILES_URL', 's3://'],
    ['FILES_URL', 's3://b?endpoint=nonsense'],
    ['FILES_URL', 's3://b?accessKeyId=half'],
    ['FILES_URL', 's3://b?acl=public'],
    ['FILES_URL', 's3://b/a%20b'],
    ['FILES_URL', 's3://under_score'],
    ['SMTP_URL', 'http://x'],
    ['SMTP_URL', 'smtp://'],
    ['MAIL_FROM', 'nobody'],
    ['MAIL_FROM', 'A <a@b>\r\nBcc: c@d'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '10.0.0.1, 10.0.0.0/33'],
    ['TRUST_PROXY', '10.0.0.1,'],
    ['ROLE', 'foo'],
    ['ROLE', 'constructor'],
    ['DEMO', 'yes'],
    ['SECRET_KEY', 'short'],
    ['MAP_TILES_URL', 'https://t/no-template.png'],
    ['LOG_LEVEL', 'loud'],
  ])('%s=%s', (name, value) => {
    const read = () => readConfig({ [name]: value })
    expect(read).toThrow(ConfigError)
    const message = messageOf(read)
    expect(message).toMatch(new RegExp(`^${name} [^\n]+\\.$`))
    expect(message).not.toContain('secret')
  })

  test('DATABASE_URL without SECRET_KEY', () => {
    expect(messageOf(() => readConfig({ DATABASE_URL: served.DATABASE_URL }))).toMatch(
      /^SECRET_KEY is missing/,
    )
  })

  test.each([
    ['BACKUP_EVERY', '0h'],
    ['BACKUP_EVERY', '24:00'],
    ['BACKUP_EVERY', 'daily'],
    ['BACKUP_KEEP', '0'],
    ['BACKUP_RECIPIENT', 'AGE-SECRET-KEY-1X'],
  ])('%s=%s for backups', (name, value) => {
    expect(() => readConfig({ BACKUP_DIR: '/b', [name]: value })).toThrow(`${name} cannot be "${value}"`)
    expect(() => readConfig({ [name]: value })).toThrow(`BACKUP_DIR is missing: ${name} is set without it.`)
  })

  test('one half of the Zendesk pair', () => {
    expect(messageOf(() => readConfig({ ZENDESK_KEY_ID: 'x' }))).toMatch(/^ZENDESK_SECRET is missing/)
    expect(messageOf(() => readConfig({ ZENDESK_SECRET: 'x' }))).toMatch(/^ZENDESK_KEY_ID is missing/)
    const widget = { ZENDESK_WIDGET_URL: 'https://chat.example/a.js' }
    expect(messageOf(() => readConfig(widget))).toMatch(/^ZENDESK_KEY_ID is missing/)
    for (const ZENDESK_WIDGET_URL of ['chat.example', 'http://chat.example/a.js', 'javascript:alert(1)']) {
      const env = { ZENDESK_KEY_ID: 'id', ZENDESK_SECRET: 's', ZENDESK_WIDGET_URL }
      expect(messageOf(() => readConfig(env))).toMatch(/^ZENDESK_WIDGET_URL cannot be/)
    }
  })
})

describe('secrets from files', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'practicum-secrets-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  const fileOf = (content: string, mode = 0o600): string => {
    const path = join(folder, 'secret')
    writeFileSync(path, content)
    chmodSync(path, mode)
    return path
  }
  const values: Record<(typeof secretSettings)[number], string> = {
    SECRET_KEY: secret,
    DATABASE_URL: served.DATABASE_URL,
    DATABASE_READ_URL: 'postgresql://replica:5432/practicum',
    FILES_URL: 's3://b?accessKeyId=a&secretAccessKey=b',
    SMTP_URL: 'smtp://user:password@host:587',
    MAP_TILES_URL: 'https://t/{z}/{x}/{y}.png?key=k',
    ZENDESK_SECRET: 'z',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://user:password@collector.example/',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20x',
  }

  test.each(secretSettings)(
    '%s is read from the file of its name, without the newline at its end',
    (name) => {
      const others = { ZENDESK_KEY_ID: name === 'ZENDESK_SECRET' ? 'id' : '' }
      const base = /DATABASE|SECRET_KEY/.test(name) ? { ...served, [name]: '' } : {}
      for (const end of ['\n', '\r\n', ''])
        expect(readConfig({ ...base, ...others, [`${name}_FILE`]: fileOf(`${values[name]}${end}`) })).toEqual(
          readConfig({ ...base, ...others, [name]: values[name] }),
        )
    },
  )

  test('a setting that comes both ways is refused', () => {
    expect(messageOf(() => readConfig({ SECRET_KEY: secret, SECRET_KEY_FILE: fileOf(secret) }))).toBe(
      'SECRET_KEY and SECRET_KEY_FILE are both set: leave one of them out.',
    )
  })

  test.each([
    [
      'that is not there',
      () => join(folder, 'nowhere'),
      /cannot be read because there is no such file: .+\.$/,
    ],
    ['that is a folder', () => folder, /cannot be read because it is a folder: .+\.$/],
    ['that is empty', () => fileOf('\n'), /is empty: .+\.$/],
  ])('a file %s is refused in a sentence', (_kind, pathOf, sentence) => {
    const message = messageOf(() => readConfig({ SMTP_URL_FILE: pathOf() }))
    expect(message).toMatch(/^SMTP_URL_FILE \([^\n]+$/)
    expect(message).toMatch(sentence)
  })

  test('what is wrong in a file is said without its secret', () => {
    const message = messageOf(() => readConfig({ SMTP_URL_FILE: fileOf('http://user:hunter2@host') }))
    expect(message).toMatch(/^SMTP_URL cannot be /)
    expect(message).not.toContain('hunter2')
  })

  test('a file that everybody may read is taken with a warning', () => {
    const { secretKey, warnings } = readConfig({ SECRET_KEY_FILE: fileOf(secret, 0o644) })
    expect(secretKey).toBe(secret)
    expect(warnings).toEqual([
      expect.stringMatching(/^Everyone on this machine may read SECRET_KEY_FILE .+ \(chmod 600\)\.$/),
    ])
    expect(readConfig({ SECRET_KEY_FILE: fileOf(secret) }).warnings).toEqual([])
  })

  test('a name without a folder is one of systemd’s credentials', () => {
    fileOf(secret, 0o400)
    expect(readConfig({ CREDENTIALS_DIRECTORY: folder, SECRET_KEY_FILE: 'secret' }).secretKey).toBe(secret)
  })
})

describe('DATA_DIR and the secret key', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'practicum-config-'))
  })
  afterEach(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true, force: true })
  })

  test('a missing key is made once, kept closed, and read again', () => {
    vi.stubEnv('DATA_DIR', join(folder, 'data'))
    vi.stubEnv('SECRET_KEY', '')
    const first = loadConfig(join(folder, 'no.env'))
    expect(first.secretKey).toMatch(/^[\w-]{43}$/)
    expect(statSync(join(folder, 'data', 'secret.key')).mode & 0o777).toBe(0o600)
    expect(loadConfig(join(folder, 'no.env')).secretKey).toBe(first.secretKey)
  })

  test('a key from outside is not written down', () => {
    vi.stubEnv('DATA_DIR', join(folder, 'data'))
    vi.stubEnv('SECRET_KEY', secret)
    expect(loadConfig(join(folder, 'no.env')).secretKey).toBe(secret)
    expect(() => statSync(join(folder, 'data'))).toThrow('ENOENT')
  })

  test('.env is read, and the environment wins over it', () => {
    writeFileSync(join(folder, '.env'), `LOG_LEVEL=debug\nROLE=web\nSECRET_KEY=${secret}\n`)
    vi.stubEnv('LOG_LEVEL', undefined)
    vi.stubEnv('SECRET_KEY', undefined)
    vi.stubEnv('ROLE', 'worker')
    expect(loadConfig(join(folder, '.env'))).toMatchObject({
      logLevel: 'debug',
      role: 'worker',
      secretKey: secret,
    })
  })

  test('a damaged key stops the start instead of making every stored secret unreadable', () => {
    writeFileSync(join(folder, 'secret.key'), 'cut')
    expect(() => keepSecretKey(folder)).toThrow(/secret\.key .*damaged/)
  })

  test('a folder with other things in it is refused and left as it is', () => {
    writeFileSync(join(folder, 'thesis.txt'), 'text')
    expect(() => claimDataDir(folder)).toThrow(DataDirError)
    expect(() => claimDataDir(folder)).toThrow(/other things in it/)
    expect(() => statSync(join(folder, 'practicum.json'))).toThrow('ENOENT')
  })

  test('an empty folder is taken and recognised when it is full', () => {
    claimDataDir(folder)
    mkdirSync(join(folder, 'files'))
    claimDataDir(folder)
    expect(JSON.parse(readFileSync(join(folder, 'practicum.json'), 'utf8'))).toMatchObject({
      madeBy: 'practicum',
    })
  })

  test('a path through a file is refused in one sentence', () => {
    writeFileSync(join(folder, 'file'), '')
    expect(() => claimDataDir(join(folder, 'file', 'data'))).toThrow(
      /^DATA_DIR .* a part of the path is a file: .*\.$/,
    )
    expect(() => claimDataDir(join(folder, 'file'))).toThrow(/^DATA_DIR .* it is a file: .*\.$/)
  })
})

function messageOf(action: () => unknown): string {
  try {
    action()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('nothing was thrown')
}
