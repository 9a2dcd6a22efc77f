/** An open stream of server-sent events, as a browser would hold it. */
export interface Stream {
  status: number
  headers: Headers
  /** The events so far, oldest first. */
  events: string[]
  /** Waits until the stream has told of `event` at least `times`. */
  told(event: string, times?: number): Promise<void>
  /** Resolves when the other side ends it. */
  ended: Promise<void>
  close(): void
}

const within = async (isTrue: () => boolean, what: string): Promise<void> => {
  const limit = Date.now() + 8_000
  while (!isTrue()) {
    if (Date.now() > limit) throw new Error(`Waited in vain for ${what}.`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Opens the stream at `url` (…/new/api/live) with the headers of a signed-in person, and waits until it is heard. */
export const openStream = async (url: string, headers: Record<string, string>): Promise<Stream> => {
  const abort = new AbortController()
  const response = await fetch(url, { headers, signal: abort.signal })
  const events: string[] = []
  let isOpen = false
  const read = async () => {
    let text = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      isOpen = true
      text += decoder.decode(chunk, { stream: true })
      const lines = text.split('\n')
      text = lines.pop()!
      for (const line of lines) if (line.startsWith('event: ')) events.push(line.slice(7))
    }
  }
  const ended = response.ok ? read().catch(() => {}) : Promise.resolve()
  if (response.ok) await within(() => isOpen, 'the first bytes')
  return {
    status: response.status,
    headers: response.headers,
    events,
    told: (event, times = 1) =>
      within(() => events.filter((each) => each === event).length >= times, `${event} (${events})`),
    ended,
    close: () => abort.abort(),
  }
}
