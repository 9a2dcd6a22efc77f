import { connect } from 'node:tls'
import { freeBytesOf, ownFolders } from '#server/core/runtime/disk.ts'
import type { Services } from '#server/core/runtime/services.ts'
import { countClockMarks } from './clock.across.ts'
import { fewestCertificateDays, fewestFreeBytes, oldestBackupMs, type Part } from './part.rules.ts'
import { findLastBackup } from './system.queries.ts'

const connectMs = 8_000
const dayMs = 86_400_000

interface Certificate {
  days: number
  ends: string
  /** Why browsers refuse it; '' where they do not. */
  fault: string
}

/** Reads the certificate that whoever opens the address is shown. */
const readCertificate = ({ hostname, port }: URL): Promise<Certificate> =>
  new Promise((resolve, reject) => {
    const host = hostname.replace(/^\[|\]$/g, '')
    const socket = connect(
      { host, port: Number(port || 443), servername: host, rejectUnauthorized: false, timeout: connectMs },
      () => {
        const { valid_to } = socket.getPeerCertificate()
        const ends = new Date(valid_to)
        resolve({
          days: (ends.getTime() - Date.now()) / dayMs,
          ends: ends.toISOString().slice(0, 10),
          fault: socket.authorized ? '' : String(socket.authorizationError),
        })
        socket.destroy()
      },
    )
    socket.once('timeout', () => socket.destroy(new Error('it did not answer')))
    socket.once('error', reject)
  })

const isOwnMachine = (url: URL): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)

/** Whether people come by https, and how long the certificate lasts. */
export const https: Part = {
  setting: 'APP_URL',
  placeOf: ({ config }) => config.appUrl ?? '',
  steps: ({ config: { appUrl } }, _given, figures) => {
    const url = appUrl === undefined ? undefined : new URL(appUrl)
    const isHttps = url?.protocol === 'https:'
    figures.isHttps = isHttps
    const address = {
      name: 'address',
      run: async () => {
        if (!url) return 'APP_URL is not set.'
        if (!isHttps && !isOwnMachine(url))
          throw new Error(
            `APP_URL is ${url.origin}, without https: put a proxy with TLS in front and set APP_URL to its https address.`,
          )
        return `APP_URL is ${url.origin}.`
      },
    }
    if (!url || !isHttps) return [address]
    const certificate = {
      name: 'certificate',
      run: async () => {
        let found: Certificate
        try {
          found = await readCertificate(url)
        } catch (error) {
          return `It could not be read from this server (${(error as Error).message}).`
        }
        figures.certificateDays = found.days
        if (found.days < fewestCertificateDays)
          throw new Error(
            found.days < 0
              ? `The certificate of ${url.host} ended on ${found.ends}: renew it, and look at why it was not renewed by itself.`
              : `The certificate of ${url.host} ends on ${found.ends}: renew it now, and look at why it was not renewed by itself.`,
          )
        if (found.fault)
          throw new Error(
            `Browsers do not trust the certificate of ${url.host} (${found.fault}): install one of a known authority with its whole chain.`,
          )
        return `The certificate lasts until ${found.ends}.`
      },
    }
    return [address, certificate]
  },
}

/** As far as clocks may be apart. */
const mostMinutesApart = 5
/** A single device with a wrong clock says nothing about the server's. */
const fewestMarked = 5

/** Whether this machine, the database and people's devices agree about the time. */
export const time: Part = {
  setting: '',
  placeOf: () => '',
  steps: ({ pool }, _given, figures) => [
    {
      name: 'clock',
      run: async () => {
        const asked = Date.now()
        const { now, punches, marked } = await countClockMarks(pool)
        const ahead = now - (asked + Date.now()) / 2
        figures.skewSeconds = ahead / 1_000
        const apart = Math.round(Math.abs(ahead) / 60_000)
        if (apart > mostMinutesApart)
          throw new Error(
            `The database's clock and this server's are ${apart} minutes apart, so punches are marked for review. Set both from the same time server.`,
          )
        if (marked >= fewestMarked && marked * 2 > punches)
          throw new Error(
            `${marked} of ${punches} punches of the last day came from devices whose clocks disagree with the server's, so the server's is probably wrong. Set it from a time server.`,
          )
        return 'The database’s clock, this server’s and those of people’s devices agree.'
      },
    },
  ],
}

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`

/** The room on the disks of this machine: those of `DATA_DIR`, with the embedded database, and of files. */
export const disk: Part = {
  setting: 'DATA_DIR',
  placeOf: ({ config }) => config.dataDir,
  steps: ({ config }, _given, figures) => [
    {
      name: 'room',
      run: async () => {
        const rooms = await Promise.all(
          ownFolders(config).map(async ({ folder }) => ({ folder, free: await freeBytesOf(folder) })),
        )
        const known = rooms.flatMap(({ folder, free }) => (free === undefined ? [] : [{ folder, free }]))
        const least = known.toSorted((one, other) => one.free - other.free)[0]
        if (!least) return 'This machine does not say how much room is left.'
        figures.freeBytes = least.free
        if (least.free < fewestFreeBytes)
          throw new Error(
            `Only ${gigabytes(least.free)} are left on the disk of ${least.folder}: make room now, before nothing can be saved.`,
          )
        const elsewhere = config.databaseUrl
          ? ' The disk of the database is not seen from here: watch it on its own machine.'
          : ''
        return `${gigabytes(least.free)} are left.${elsewhere}`
      },
    },
  ],
}

/** Whether backups are made, as far as they are known here. */
export const backup: Part = {
  setting: 'BACKUP_DIR',
  placeOf: () => '',
  steps: ({ pool }: Services) => [
    {
      name: 'last',
      run: async () => {
        const last = await findLastBackup(pool)
        if (last?.Error) throw new Error(last.Error)
        if (!last?.At) return 'None is known here.'
        if (!last.Verified) throw new Error('The last backup could not be read back: make another one now.')
        if (Date.now() - Date.parse(last.At) > oldestBackupMs)
          throw new Error(
            `The last backup is of ${last.At.slice(0, 10)}: look at why none was made since, and make one now.`,
          )
        return `The last one is of ${last.At.slice(0, 16).replace('T', ' ')} UTC and was read back.`
      },
    },
  ],
}
