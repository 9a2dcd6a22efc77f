import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serverArguments, serverEnvironment } from '../lib/server.mjs'

/** The product as it runs, with the demo in it. */
export interface Running {
  /** Where its calls begin. */
  api: string
  /** A key of Radiography with these rights. */
  makeKey(name: string, rights: readonly string[]): Promise<{ key: string; programId: number }>
  description(): Promise<string>
  stop(): Promise<void>
}

const root = join(import.meta.dirname, '..', '..')
const said = /https?:\/\/[\w.:[\]]+\d/

/** Starts the demo in a folder of its own on a free port. */
export const startDemo = async (): Promise<Running> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'practicum-outside-demo-'))
  const child = spawn(process.execPath, serverArguments, {
    cwd: root,
    env: {
      ...process.env,
      ...serverEnvironment,
      DATA_DIR: dataDir,
      PORT: '0',
      DEMO: '1',
      NODE_ENV: 'production',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await ended
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
  }
  const origin = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const found = said.exec(text)
      if (found) resolve(found[0])
    })
    child.once('exit', () => reject(new Error(`The demo ended before it listened:\n${text}`)))
  })
  const api = `${origin}/new/api`
  let headers: Record<string, string> = { 'content-type': 'application/json' }
  const send = async (method: string, path: string, body?: object): Promise<Response> => {
    const answer = await fetch(`${api}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
    return answer
  }
  const signedIn = await send('POST', '/auth/login', { UserName: 'admin', Password: 'Bluebird-42-harbor' })
  headers = {
    ...headers,
    cookie: signedIn.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; '),
  }
  const read = async <T>(path: string): Promise<T> => (await (await send('GET', path)).json()) as T
  const { CsrfToken } = await read<{ CsrfToken: string }>('/auth/session')
  headers = { ...headers, 'x-csrf-token': CsrfToken }
  const { ProgramId: programId } = await read<{ ProgramId: number }>('/state')
  return {
    api,
    makeKey: async (Name, Rights) => {
      const made = await send('POST', `/programs/${programId}/api-keys`, { Name, Rights, ExpireDays: 1 })
      return { key: ((await made.json()) as { Key: string }).Key, programId }
    },
    description: async () => (await send('GET', '/openapi.json')).text(),
    stop,
  }
}
