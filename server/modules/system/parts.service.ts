import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { OutsideTest } from '#contract/core/outside-test.ts'
import type { SystemPartKey } from '#contract/system/system.ts'
import { findHeicConverter, withoutHeic } from '#server/core/files/heic.ts'
import { askScanner } from '#server/core/files/virus-scan.ts'
import { newPassingKey } from '#server/core/runtime/file-store.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { headersOf, tracesAddress } from '#server/core/runtime/tracing.ts'
import { backup, disk, https, time } from './operator-parts.service.ts'
import type { Given, Measured, Part, Step } from './part.rules.ts'

const deadlineMs = 10_000
/** Host and path of an address: who signs in there, with which password and settings, stays here. */
const withoutSecrets = (url: string): string => {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`
}

/** Parts that are not set are not tested: whoever calls has looked. */
const setAddress = (address: string | undefined): string => {
  if (address === undefined) throw new Error('It is not set.')
  return address
}

const inMs = (since: number): string => `${Math.max(1, Math.round(performance.now() - since))} ms`

/** What went wrong, as the one sentence that people are shown: `fetch` says it in the cause. */
export const reasonOf = (error: unknown): string => {
  const { message, cause, code } = error as Error & { cause?: Error; code?: string }
  return ((cause?.message ?? message) || code || 'It did not answer.').slice(0, 500)
}

const withinDeadline = async <T>(work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`There was no answer within ${deadlineMs / 1_000} seconds.`)),
      deadlineMs,
    )
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** What a test found, with what it measured on its way. */
export interface Tested extends OutsideTest {
  figures: Measured
}

/** Goes through the steps up to the first that fails. */
const follow = async (stepsOf: (figures: Measured) => readonly Step[]): Promise<Tested> => {
  const figures: Measured = {}
  const found: OutsideTest['Steps'] = []
  for (const { name, run } of stepsOf(figures)) {
    try {
      found.push({ Name: name, IsOk: true, Detail: await withinDeadline(run()) })
    } catch (error) {
      found.push({ Name: name, IsOk: false, Detail: reasonOf(error) })
      return { IsOk: false, Steps: found, figures }
    }
  }
  return { IsOk: true, Steps: found, figures }
}

const database: Part = {
  setting: 'DATABASE_URL',
  placeOf: ({ config }) => (config.databaseUrl ? withoutSecrets(config.databaseUrl) : ''),
  steps: ({ pool }) => [
    {
      name: 'answer',
      run: async () => {
        const since = performance.now()
        await pool.query('select 1')
        return `It answered in ${inMs(since)}.`
      },
    },
    {
      name: 'changes',
      run: async () => {
        const { rows } = await pool.query<{ is_copy: boolean }>('select pg_is_in_recovery() as is_copy')
        if (rows[0]!.is_copy) throw new Error('It takes no changes: it is a replica that follows another.')
        return 'It takes changes.'
      },
    },
  ],
}

const replica: Part = {
  setting: 'DATABASE_READ_URL',
  placeOf: ({ config }) => config.databaseReadUrl && withoutSecrets(config.databaseReadUrl),
  steps: ({ config, pool }) => {
    const ask = async <T extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<T> => {
      const client = new pg.Client({
        connectionString: config.databaseReadUrl,
        connectionTimeoutMillis: deadlineMs,
        query_timeout: deadlineMs,
      })
      client.on('error', () => {})
      try {
        await client.connect()
        return (await client.query<T>(text, values)).rows[0]!
      } finally {
        await client.end().catch(() => {})
      }
    }
    return [
      {
        name: 'answer',
        run: async () => {
          const since = performance.now()
          const { is_copy } = await ask<{ is_copy: boolean }>('select pg_is_in_recovery() as is_copy')
          if (!is_copy) throw new Error('It is a database of its own, not a replica: it is not read.')
          return `It answered in ${inMs(since)} and follows another database.`
        },
      },
      {
        name: 'current',
        run: async () => {
          const { rows } = await pool.query<{ at: string }>('select pg_current_wal_lsn()::text as at')
          const { behind } = await ask<{ behind: number }>(
            'select greatest(0, $1::pg_lsn - pg_last_wal_replay_lsn())::float8 as behind',
            [rows[0]!.at],
          )
          return behind === 0
            ? 'It has every change.'
            : `It is ${Math.ceil(behind / 1024).toLocaleString('en-US')} kB of changes behind.`
        },
      },
    ]
  },
}

const files: Part = {
  setting: 'FILES_URL',
  placeOf: ({ config }) =>
    config.filesUrl.startsWith('file:') ? fileURLToPath(config.filesUrl) : withoutSecrets(config.filesUrl),
  steps: (services) => {
    const key = newPassingKey()
    const bytes = randomBytes(64)
    return [
      {
        name: 'write',
        run: async () => {
          await services.files.place(key, [bytes])
          return 'A file was written.'
        },
      },
      {
        name: 'read',
        run: async () => {
          const chunks: Uint8Array[] = []
          for await (const chunk of await services.files.read(key)) chunks.push(chunk)
          if (!Buffer.concat(chunks).equals(bytes)) throw new Error('It came back with other bytes.')
          return 'It came back byte for byte.'
        },
      },
      {
        name: 'remove',
        run: async () => {
          await services.files.remove(key)
          return 'It was removed.'
        },
      },
    ]
  },
}

const mail: Part = {
  setting: 'SMTP_URL',
  placeOf: ({ config }) => config.smtpUrl && withoutSecrets(config.smtpUrl),
  steps: ({ config }, { mailTo, mailCode }) => {
    const relay = async () => {
      const { createTransport } = await import('nodemailer')
      const url = new URL(setAddress(config.smtpUrl))
      for (const name of ['connectionTimeout', 'greetingTimeout', 'socketTimeout'])
        url.searchParams.set(name, String(deadlineMs))
      return createTransport(url.href)
    }
    return [
      {
        name: 'signIn',
        run: async () => {
          const transport = await relay()
          try {
            await transport.verify()
          } finally {
            transport.close()
          }
          return 'The mail server lets Practicum in.'
        },
      },
      ...(mailTo
        ? [
            {
              name: 'message',
              run: async () => {
                const transport = await relay()
                try {
                  await transport.sendMail({
                    from: config.mailFrom,
                    to: mailTo,
                    subject: 'Test of the mail server',
                    text: `This email was sent from System Status to test the mail server. Type this code there, so that it knows that emails arrive: ${mailCode}`,
                    disableFileAccess: true,
                    disableUrlAccess: true,
                  })
                } finally {
                  transport.close()
                }
                return `The mail server took an email to ${mailTo}.`
              },
            },
          ]
        : []),
    ]
  },
}

const scanner: Part = {
  setting: 'VIRUS_SCANNER_URL',
  placeOf: ({ config }) => config.virusScannerUrl && withoutSecrets(config.virusScannerUrl),
  steps: ({ config }) => {
    const ask = (command: string) => askScanner(new URL(setAddress(config.virusScannerUrl)), command)
    return [
      {
        name: 'answer',
        run: async () => {
          const since = performance.now()
          const answer = await ask('PING')
          if (answer !== 'PONG') throw new Error(`It answered “${answer.slice(0, 100)}”, not PONG.`)
          return `It answered in ${inMs(since)}.`
        },
      },
      { name: 'version', run: () => ask('VERSION') },
    ]
  },
}

const traces: Part = {
  setting: 'OTEL_EXPORTER_OTLP_ENDPOINT',
  placeOf: ({ config }) => config.tracesUrl && withoutSecrets(config.tracesUrl),
  steps: ({ config }) => [
    {
      name: 'answer',
      run: async () => {
        const since = performance.now()
        const { status } = await fetch(tracesAddress(setAddress(config.tracesUrl)), {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headersOf(config.tracesHeaders) },
          body: '{"resourceSpans":[]}',
          signal: AbortSignal.timeout(deadlineMs),
        })
        if (status >= 300) throw new Error(`The collector answered ${status} to an empty set of traces.`)
        return `The collector took an empty set of traces in ${inMs(since)}.`
      },
    },
  ],
}

const maps: Part = {
  setting: 'MAP_TILES_URL',
  // A key of the provider is in the query or the path: the host is told alone.
  placeOf: ({ config }) => config.mapTilesUrl && new URL(config.mapTilesUrl.replace(/[{}]/g, '')).host,
  steps: ({ config }) => [
    {
      name: 'answer',
      run: async () => {
        const since = performance.now()
        const address = setAddress(config.mapTilesUrl)
          .replace(/\{s\}/, 'a')
          .replace(/\{[xyz]\}/g, '0')
        const { status, headers } = await fetch(address, { signal: AbortSignal.timeout(deadlineMs) })
        if (status >= 300) throw new Error(`It answered ${status} for the tile of the whole world.`)
        const type = headers.get('content-type') ?? 'none'
        if (!type.startsWith('image/')) throw new Error(`It sent no picture, but the type ${type}.`)
        return `It sent the tile of the whole world in ${inMs(since)}.`
      },
    },
  ],
}

const heic: Part = {
  setting: '',
  placeOf: findHeicConverter,
  steps: () => [
    {
      name: 'convert',
      run: async () => {
        const since = performance.now()
        const bytes = await readFile(new URL('../../core/files/sample.heic', import.meta.url))
        const sample = { field: 'file', name: 'sample.heic', bytes }
        const { name } = await withoutHeic(sample).catch(() => sample)
        if (name === sample.name)
          throw new Error(
            'It could not turn a HEIC photo into a JPEG. Its decoder may be missing: on Debian and Ubuntu install libheif-plugin-libde265 too.',
          )
        return `It turned a HEIC photo into a JPEG in ${inMs(since)}.`
      },
    },
  ],
}

/** Each can be tested from any process; the worker has a test of its own, for only the queue reaches it. */
export const parts: Readonly<Record<Exclude<SystemPartKey, 'worker'>, Part>> = {
  database,
  replica,
  files,
  disk,
  backup,
  https,
  time,
  mail,
  scanner,
  traces,
  maps,
  heic,
}

/** Tests a part at once. Never throws for what the part does. */
export const testPart = (services: Services, key: keyof typeof parts, given: Given = {}): Promise<Tested> =>
  follow((figures) => parts[key].steps(services, given, figures))

/** Tests the worker: a job goes through the queue, and is done or not. */
export const testWorker = (queue: () => Promise<void>, isDone: () => Promise<boolean>): Promise<Tested> =>
  follow(() => [
    {
      name: 'queue',
      run: async () => {
        await queue()
        return 'A job was queued.'
      },
    },
    {
      name: 'done',
      run: async () => {
        const since = performance.now()
        while (!(await isDone())) {
          if (performance.now() - since > deadlineMs - 500)
            throw new Error(
              'No worker did the job within ten seconds. Start a process with ROLE=worker or ROLE=all, or look at its log.',
            )
          await sleep(100)
        }
        return `The worker did it within ${inMs(since)}.`
      },
    },
  ])
