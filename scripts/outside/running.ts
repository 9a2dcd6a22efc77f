import { password, startProduct } from '../../journeys/start.ts'

/** The product as it runs, with the demo in it. */
export interface Running {
  /** Where its calls begin. */
  api: string
  programId: number
  /** What it says of its calls. */
  description: string
  /** A key of Radiography with these rights. */
  makeKey(name: string, rights: readonly string[]): Promise<string>
  stop(): Promise<void>
}

/** Starts the demo in a folder of its own on a free port, and signs in as an administrator of Radiography. */
export const startDemo = async (): Promise<Running> => {
  const { address, stop } = await startProduct()
  const api = `${address}/new/api`
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
  const read = async <T>(path: string): Promise<T> => (await (await send('GET', path)).json()) as T
  try {
    const signedIn = await send('POST', '/auth/login', { UserName: 'admin', Password: password })
    const cookies = signedIn.headers.getSetCookie().map((each) => each.split(';')[0])
    headers = { ...headers, cookie: cookies.join('; ') }
    const { CsrfToken } = await read<{ CsrfToken: string }>('/auth/session')
    headers = { ...headers, 'x-csrf-token': CsrfToken }
    const proven = await send('POST', '/auth/proofs', { Kind: 'password', Password: password })
    headers = { ...headers, 'x-proof': ((await proven.json()) as { Proof: string }).Proof }
    const { ProgramId: programId } = await read<{ ProgramId: number }>('/state')
    return {
      api,
      programId,
      description: await (await send('GET', '/openapi.json')).text(),
      makeKey: async (Name, Rights) => {
        const made = await send('POST', `/programs/${programId}/api-keys`, { Name, Rights, ExpireDays: 1 })
        return ((await made.json()) as { Key: string }).Key
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
