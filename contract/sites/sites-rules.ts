import { daysBetween } from '#contract/core/calendar.ts'

/** How many days ahead an agreement's end is worth a sign: quiet from 90, pressing from 30. */
export const agreementWarningDays = 90
export const agreementUrgentDays = 30

export const agreementStates = ['in-force', 'ending', 'urgent', 'expired', 'none'] as const
export type AgreementState = (typeof agreementStates)[number]

/** The state of a site's agreement on a day; `end` null is an agreement without an end. Days are 'YYYY-MM-DD'. */
export const agreementState = (hasAgreement: boolean, end: string | null, today: string): AgreementState => {
  if (!hasAgreement) return 'none'
  if (end === null) return 'in-force'
  if (end < today) return 'expired'
  const days = daysBetween(today, end)
  return days <= agreementUrgentDays ? 'urgent' : days <= agreementWarningDays ? 'ending' : 'in-force'
}

/** What is on a site's pin and beside its name: the code, or the name's initials where it has none. */
export const siteTag = (code: string, name: string): string => {
  if (code) return code.slice(0, 8)
  const initials = (name.match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((word) => !/^(of|the|and|at|for|in|on)$/i.test(word))
    .map((word) => [...word][0]!.toLocaleUpperCase('en'))
  return initials.slice(0, 4).join('') || '?'
}

/** Names are shown without markup: tags go, text stays. */
export const stripMarkup = (text: string): string => text.replace(/<\/?[a-z][^<>]*>/gi, '').trim()

export const isTimeZone = (text: string): boolean => {
  if (!/^[A-Za-z]/.test(text)) return false
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: text })
    return true
  } catch {
    return false
  }
}

const offsetMinutes = (timeZone: string, at: Date): number => {
  const text =
    new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
      .formatToParts(at)
      .find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT'
  const [, sign, hours = '0', minutes = '0'] = /GMT([+-])(\d\d):?(\d\d)?/.exec(text) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

/** Whether the clocks of a zone change within the year (the site's IsDST). */
export const observesDaylightSaving = (timeZone: string, year: number): boolean =>
  offsetMinutes(timeZone, new Date(Date.UTC(year, 0, 1))) !==
  offsetMinutes(timeZone, new Date(Date.UTC(year, 6, 1)))

const parseIpv4 = (text: string): bigint | undefined => {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255))
    return undefined
  return parts.reduce((sum, part) => (sum << 8n) | BigInt(part), 0n)
}

const parseIpv6 = (text: string): bigint | undefined => {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const groups = halves.map((half) => (half === '' ? [] : half.split(':')))
  const all = groups.flat()
  if (!all.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined
  const missing = 8 - all.length
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined
  const zeros = halves.length === 2 ? Array<string>(missing).fill('0') : []
  return [...groups[0]!, ...zeros, ...(groups[1] ?? [])].reduce(
    (sum, group) => (sum << 16n) | BigInt(`0x${group}`),
    0n,
  )
}

const ipv4Text = (value: bigint): string =>
  [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join('.')
const ipv6Text = (value: bigint): string =>
  [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n]
    .map((shift) => ((value >> shift) & 65535n).toString(16))
    .join(':')
    .replace(/(^|:)0(:0)+(:|$)/, '::')

/**
 * Reads a network as an address, or an address and the length of its prefix: `198.51.100.0/24`, `2001:db8::/32`, or one
 * address alone. Answers it in that form, or the sentence that says what is wrong with it.
 */
export const readNetwork = (text: string): { range: string } | { problem: string } => {
  const [address = '', prefix, ...more] = text.trim().split('/')
  const four = parseIpv4(address)
  const value = four ?? parseIpv6(address)
  const bits = four === undefined ? 128 : 32
  if (value === undefined || more.length > 0 || (prefix !== undefined && !/^\d{1,3}$/.test(prefix)))
    return { problem: 'must be an IP address or a network, such as 198.51.100.7 or 198.51.100.0/24' }
  const length = prefix === undefined ? bits : Number(prefix)
  if (length > bits) return { problem: `must have a prefix of at most ${bits} bits` }
  const hostBits = BigInt(bits - length)
  const network = (value >> hostBits) << hostBits
  const print = four === undefined ? ipv6Text : ipv4Text
  if (network !== value)
    return { problem: `must be the first address of its network: ${print(network)}/${length}` }
  return { range: `${print(value)}/${length}` }
}

/** Most bytes of a document of a site: 20 MiB. */
export const maxDocumentBytes = 20 * 1024 * 1024
