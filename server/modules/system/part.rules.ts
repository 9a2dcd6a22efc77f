import type { Services } from '#server/core/runtime/services.ts'

/** What a check measures. */
export interface Measured {
  /** Days that the certificate of `APP_URL` lasts. */
  certificateDays?: number
  /** Whether people reach the installation by https. */
  isHttps?: boolean
  /** How far the database's clock is ahead of this machine's. */
  skewSeconds?: number
  /** The least room on a disk. */
  freeBytes?: number
}

/** Says what it found in a sentence; throws where the part does not work. */
export interface Step {
  name: string
  run: () => Promise<string>
}

/** Of whoever tests by hand; without an address no email is sent. */
export interface Given {
  mailTo?: string | undefined
  mailCode?: string
}

export interface Part {
  /** The variable of the environment that sets it; '' where there is none to set. */
  setting: string
  /** Where it is, without passwords; undefined while it is not used here. */
  placeOf: (services: Services) => string | undefined
  steps: (services: Services, given: Given, figures: Measured) => readonly Step[]
}

/** What came of scheduled backups, in the setting `backup.last`. */
export interface LastBackup {
  At: string | null
  Verified: boolean
  Error?: string | null
}

/** What is known of the email of the last test, in the setting `mail.arrival`. */
export interface MailArrival {
  Hash: string
  SentAt: string
  ArrivedAt: string | null
}

const dayMs = 86_400_000
const gib = 2 ** 30

export const fewestCertificateDays = 7
const certificateDaysToWatch = 21
export const fewestFreeBytes = gib
const freeBytesToWatch = 5 * gib
const skewToWatch = 30
export const oldestBackupMs = 7 * dayMs
const backupAgeToWatchMs = 2 * dayMs

/** What to do about https before people come. */
export const httpsToDo = (
  { isHttps, certificateDays }: Measured,
  { isProxyUnknown }: { isProxyUnknown: boolean },
): string => {
  if (isHttps === false)
    return 'Put a proxy with TLS in front and set APP_URL to its https address: until then passwords cross the network as they are typed.'
  if (isProxyUnknown)
    return 'Name the proxy in TRUST_PROXY: until then all people share its address, and a few wrong passwords close it for everyone.'
  if (isHttps && certificateDays === undefined)
    return 'Let this server reach its own APP_URL, or watch elsewhere when the certificate ends: it could not be read.'
  if (certificateDays !== undefined && certificateDays < certificateDaysToWatch)
    return `Renew the certificate within ${Math.floor(certificateDays)} days, and look at why it was not renewed by itself.`
  return ''
}

export const timeToDo = ({ skewSeconds = 0 }: Measured): string =>
  Math.abs(skewSeconds) > skewToWatch
    ? `Set this server and the database from the same time server: their clocks are ${Math.round(Math.abs(skewSeconds))} seconds apart.`
    : ''

export const diskToDo = ({ freeBytes }: Measured): string =>
  freeBytes !== undefined && freeBytes < freeBytesToWatch
    ? 'Make room on the disk of DATA_DIR: less than 5 GB is left.'
    : ''

export const backupToDo = (last: LastBackup | undefined, now: Date): string =>
  !last?.At || now.getTime() - Date.parse(last.At) > backupAgeToWatchMs
    ? 'Have a backup made every day, keep it on another machine, and try a restore: no backup of the last two days is known here.'
    : ''

export const mailToDo = (isUsed: boolean, arrival: MailArrival | undefined): string => {
  if (!isUsed) return 'Set SMTP_URL: until then no one gets an email, not even to reset a password.'
  return arrival?.ArrivedAt
    ? ''
    : 'Press Test and type the code of the email that comes: only then it is known that emails arrive.'
}
