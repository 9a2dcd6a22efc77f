import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine } from './machine.ts'

/** The name that the page uses for a server. */
export const host = 'practicum.example.edu'
const origin = `https://${host}`

/** A person with a browser, who comes through the proxy. */
export interface Visitor {
  /** Calls below `/new/api`. @throws Error for any other status than 2xx */
  call<T>(method: string, path: string, body?: object, headers?: Record<string, string>): T
  /** Sends a file as a form with one JSON part. */
  upload<T>(path: string, part: string, value: object, file: string): T
  /** Whether the stream of live updates begins, and its first line arrives within seconds. */
  hears(): boolean
  /** Status of a page, and where it leads. */
  page(address: string): { status: number; location?: string }
}

/** A file of 20 MB that is taken for a document. */
export const largeFile = (folder: string): string => {
  const file = join(folder, `${randomUUID()}.pdf`)
  const head = Buffer.from('%PDF-1.7\n')
  writeFileSync(
    file,
    Buffer.concat([head, randomBytes(20 * 1024 * 1024 - head.length - 8), Buffer.from('\n%%EOF\n')]),
  )
  return file
}

/** Signs nobody in; `signIn` does. */
export const visitorOf = (
  machine: Machine,
  certificate: string,
  root = '',
): Visitor & { signIn(name: string, password: string): void } => {
  const folder = mkdtempSync(join(machine.root, 'tmp-visitor-'))
  const jar = join(folder, 'cookies')
  let csrf: string | undefined
  const curl = (...args: string[]) => {
    const own = ['--silent', '--show-error', '--cacert', certificate, '--cookie', jar, '--cookie-jar', jar]
    const resolved = ['80', '443'].flatMap((port) => ['--resolve', `${host}:${port}:127.0.0.1`])
    return machine.visit('curl', [...own, ...resolved, ...args])
  }
  const send = <T>(method: string, path: string, args: string[]): T => {
    const headers = csrf ? ['--header', `x-csrf-token: ${csrf}`] : []
    const address = `${origin}${root}/new/api${path}`
    const { text } = curl('--request', method, '--write-out', '\n%{http_code}', ...headers, ...args, address)
    const [body = '', status = ''] = [
      text.slice(0, text.lastIndexOf('\n')),
      text.slice(text.lastIndexOf('\n') + 1),
    ]
    if (!/^2/.test(status)) throw new Error(`${method} ${path} through the proxy answered ${status}: ${body}`)
    return (body ? JSON.parse(body) : undefined) as T // What the call's declaration says.
  }
  const visitor: Visitor = {
    call: (method, path, body, headers = {}) =>
      send(method, path, [
        ...Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
        ...(body ? ['--header', 'content-type: application/json', '--data', JSON.stringify(body)] : []),
      ]),
    upload: (path, part, value, file) =>
      send('POST', path, [
        '--form-string',
        `${part}=${JSON.stringify(value)}`,
        '--form',
        `file=@${file};type=application/pdf`,
      ]),
    hears: () => {
      const headers = join(folder, 'headers')
      const { text } = curl(
        '--no-buffer',
        '--max-time',
        '4',
        '--dump-header',
        headers,
        `${origin}${root}/new/api/live`,
      )
      return /text\/event-stream/.test(readFileSync(headers, 'utf8')) && text.includes(':')
    },
    page: (address) => {
      const { text } = curl('--output', '/dev/null', '--write-out', '%{http_code} %{redirect_url}', address)
      const [status, location] = text.split(' ')
      return { status: Number(status), ...(location && { location }) }
    },
  }
  return {
    ...visitor,
    signIn: (UserName, Password) => {
      csrf = undefined
      visitor.call('POST', '/auth/login', { UserName, Password })
      csrf = visitor.call<{ CsrfToken: string }>('GET', '/auth/session').CsrfToken
    },
  }
}
