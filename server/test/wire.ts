import { Agent, type IncomingMessage, request } from 'node:http'

const agent = new Agent({ keepAlive: true })

export interface Sent {
  method: string
  headers: Record<string, string>
  body?: string | Uint8Array | FormData
}

/** What came back, as it was on the wire: redirects are not followed, and nothing is packed since nothing was asked to be. */
export interface Received {
  status: number
  text: string
  readonly headers: Headers
}

const bytesOf = async ({ headers, body }: Sent) => {
  if (!(body instanceof FormData)) return { headers, bytes: body }
  const form = new Response(body)
  return {
    headers: { ...headers, 'content-type': form.headers.get('content-type')! },
    bytes: new Uint8Array(await form.arrayBuffer()),
  }
}

const textOf = async (answer: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = []
  for await (const part of answer) parts.push(part)
  return new TextDecoder().decode(Buffer.concat(parts))
}

/**
 * Makes a call over HTTP. `fetch` does the same for twice the processor, which the tests of all calls are made of.
 *
 * @throws whatever ends the connection before the whole answer is there
 */
export const sendOverWire = async (url: string, sent: Sent): Promise<Received> => {
  const { headers, bytes } = await bytesOf(sent)
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const call = request(new URL(url), {
      agent,
      method: sent.method,
      headers: {
        accept: '*/*',
        'user-agent': 'node',
        ...headers,
        ...(bytes !== undefined && { 'content-length': String(Buffer.byteLength(bytes)) }),
      },
    })
    call.on('response', resolve)
    call.on('error', reject)
    call.end(bytes)
  })
  return {
    status: answer.statusCode!,
    text: await textOf(answer),
    get headers() {
      const all = new Headers()
      for (const [name, values = []] of Object.entries(answer.headersDistinct))
        for (const value of values) all.append(name, value)
      return all
    },
  }
}
