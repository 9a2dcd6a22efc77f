import { lookup as resolve } from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import { BlockList, isIP } from 'node:net'

/** A call to an address outside was not made, or was given up. The message is a sentence for the person who entered the address. */
export class OutsideError extends Error {
  override name = 'OutsideError'
  /** Why, for logs and tests. */
  readonly code: 'address' | 'network' | 'lookup' | 'redirect' | 'timeout' | 'too_large' | 'connection'
  constructor(code: OutsideError['code'], message: string) {
    super(message)
    this.code = code
  }
}

/** Networks that lead to this machine, its neighbors, or nowhere: IANA's special-purpose registries, and what clouds add to them. */
const forbiddenNetworks = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  // Of Azure's machines, beside 169.254.169.254.
  '168.63.129.16/32',
  // Of Alibaba's machines.
  '100.100.100.200/32',
] as const

const listOf = (networks: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    list.addSubnet(address, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family)
  }
  return list
}

const forbidden = listOf(forbiddenNetworks)
/** Of IPv6 only what is given out to the public internet, without its parts that carry or stand for IPv4 and are no destinations. */
const globalUnicast = listOf(['2000::/3'])
const notGlobal = listOf(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])

/** The eight groups of an IPv6 address as numbers. */
const groupsOf = (address: string): number[] => {
  const plain = address.replace(/%.*$/, '').replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, a, b, c, d) => {
    const group = (high: string, low: string) => ((Number(high) << 8) | Number(low)).toString(16)
    return `${group(a, b)}:${group(c, d)}`
  })
  const [head = '', tail] = plain.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array<string>(zeros).fill('0'), ...after].map((group) => Number.parseInt(group, 16))
}

/** The IPv4 address that an IPv6 one stands for: mapped, compatible, or behind the well-known prefix of a translator. */
const embeddedIPv4 = (address: string): string | undefined => {
  const groups = groupsOf(address)
  const isMapped =
    groups.slice(0, 5).every((group) => group === 0) && (groups[5] === 0xffff || groups[5] === 0)
  const isTranslated = groups[0] === 0x64 && groups[1] === 0xff9b
  if (!isMapped && !isTranslated) return undefined
  const [high = 0, low = 0] = groups.slice(6)
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** Whether the operator lists the network of an IP address. */
const isListed = (address: string, allowed: readonly string[]): boolean => {
  const inner = isIP(address) === 6 ? embeddedIPv4(address) : address
  return listOf(allowed).check(inner ?? address, inner === undefined ? 'ipv6' : 'ipv4')
}

/**
 * Whether a call may be made to an IP address: it belongs to the public internet, or the operator lists its network
 * (`WEBHOOK_ALLOW`).
 */
export const mayReach = (address: string, allowed: readonly string[] = []): boolean => {
  const family = isIP(address)
  if (family === 0) return false
  const inner = family === 6 ? embeddedIPv4(address) : address
  if (isListed(address, allowed)) return true
  if (inner !== undefined) return !forbidden.check(inner, 'ipv4')
  return globalUnicast.check(address, 'ipv6') && !notGlobal.check(address, 'ipv6')
}

/** Looks a name up: all addresses that it has. Tests give their own. */
export type Lookup = (name: string) => Promise<{ address: string; family: number }[]>

const lookUp: Lookup = (name) => resolve(name, { all: true, verbatim: true })

export interface OutsideCall {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string | Buffer
  /** For all of it: looking up, connecting, sending, and the answer with its body. */
  deadlineMs: number
  /** Of the answer's body nothing more is read. */
  maxBytes: number
  /** Whether a longer answer is a failure; otherwise it is cut, and what is left is never read. */
  cutsBody?: boolean
  /** Networks beside the public internet, and then also without TLS. */
  allowed?: readonly string[]
  lookup?: Lookup
  /** Certificate authorities beside those of the system, for tests. */
  ca?: string
}

export interface OutsideAnswer {
  status: number
  headers: http.IncomingHttpHeaders
  body: string
}

/**
 * Reads an address that somebody has entered.
 *
 * @throws OutsideError `address` unless it is https (http where the operator lists networks), without user and fragment
 */
export const readAddress = (text: string, allowed: readonly string[] = []): URL => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isSecure = url?.protocol === 'https:'
  if (!url || !(isSecure || (url.protocol === 'http:' && allowed.length > 0)))
    throw new OutsideError('address', 'The address must begin with https://.')
  if (url.username !== '' || url.password !== '')
    throw new OutsideError('address', 'The address may hold no user name and no password.')
  if (url.hash !== '') throw new OutsideError('address', 'The address may hold no “#”.')
  return url
}

/** All addresses of a host, each of which may be reached, without TLS in listed networks alone. */
const addressesOf = async (
  url: URL,
  { allowed = [], lookup = lookUp }: Pick<OutsideCall, 'allowed' | 'lookup'>,
): Promise<{ address: string; family: number }[]> => {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const family = isIP(host)
  const found =
    family > 0
      ? [{ address: host, family }]
      : await lookup(host).catch(() => {
          throw new OutsideError('lookup', `There is no host ${host}.`)
        })
  if (found.length === 0) throw new OutsideError('lookup', `There is no host ${host}.`)
  // One that may not be reached is enough: who answers with both means to be taken for the other.
  const foreign = found.find(({ address }) => !mayReach(address, allowed))
  if (foreign)
    throw new OutsideError(
      'network',
      `${host} leads to ${foreign.address}, which is not in the public internet. The operator may list its network in WEBHOOK_ALLOW.`,
    )
  if (url.protocol === 'http:' && !found.every(({ address }) => isListed(address, allowed)))
    throw new OutsideError(
      'address',
      `The address of ${host} must begin with https://: only networks listed in WEBHOOK_ALLOW are called without.`,
    )
  return found
}

const reasons: Record<string, string> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'broke the connection off',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
}

const connectionError = (host: string, error: NodeJS.ErrnoException): OutsideError =>
  error instanceof OutsideError
    ? error
    : new OutsideError(
        'connection',
        `${host} ${reasons[error.code ?? ''] ?? `did not answer as it should (${error.message.slice(0, 200)})`}.`,
      )

/**
 * The one way out: calls an address that somebody outside of the installation has chosen. The name is looked up once, every
 * address is checked, and the connection goes to one that was checked, with the name kept for TLS; so an answer that changes between
 * check and use changes nothing. Redirects are not followed. Proxies of the environment are not used.
 *
 * @throws OutsideError with a sentence that may be shown
 */
export const callOutside = async (address: string | URL, call: OutsideCall): Promise<OutsideAnswer> => {
  const url = readAddress(String(address), call.allowed)
  const deadline = AbortSignal.timeout(call.deadlineMs)
  const tooLate = () =>
    new OutsideError(
      'timeout',
      `${url.hostname} did not answer within ${Math.ceil(call.deadlineMs / 1_000)} seconds.`,
    )
  const late = new Promise<never>((_resolve, reject) =>
    deadline.addEventListener('abort', () => reject(tooLate()), { once: true }),
  )
  late.catch(() => {})
  const addresses = await Promise.race([addressesOf(url, call), late])
  return Promise.race([send(url, addresses, call, deadline), late])
}

const send = (
  url: URL,
  addresses: readonly { address: string; family: number }[],
  { method = 'GET', headers = {}, body, maxBytes, cutsBody = false, ca }: OutsideCall,
  signal: AbortSignal,
): Promise<OutsideAnswer> =>
  new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(connectionError(url.hostname, error))
    const { request } = url.protocol === 'https:' ? https : http
    const sent = request(
      url,
      {
        method,
        headers: {
          'user-agent': 'Practicum',
          'accept-encoding': 'identity',
          ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
          ...headers,
        },
        // Nothing is shared with other calls: a connection belongs to one check.
        agent: false,
        maxHeaderSize: 16 * 1024,
        ...(ca !== undefined && { ca }),
        // Never asked again: the checked addresses are all there are.
        lookup: (_name, options, done) => {
          if (options.all) done(null, [...addresses])
          else done(null, addresses[0]!.address, addresses[0]!.family)
        },
        signal,
      },
      (answer) => {
        const { statusCode = 0 } = answer
        if (statusCode >= 300 && statusCode < 400) {
          answer.destroy()
          reject(
            new OutsideError(
              'redirect',
              `${url.hostname} leads on to another address, which is not followed.`,
            ),
          )
          return
        }
        const chunks: Buffer[] = []
        let size = 0
        const finish = () => {
          const text = Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8')
          resolve({ status: statusCode, headers: answer.headers, body: text })
        }
        answer.on('data', (chunk: Buffer) => {
          size += chunk.length
          chunks.push(chunk)
          if (size <= maxBytes) return
          answer.destroy()
          if (cutsBody) finish()
          else reject(new OutsideError('too_large', `${url.hostname} answered more than ${maxBytes} bytes.`))
        })
        answer.once('end', finish)
        answer.once('error', fail)
      },
    )
    sent.once('error', fail)
    sent.end(body)
  })
