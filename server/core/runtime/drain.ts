import type { Services } from './services.ts'

interface Loop {
  isAsked: boolean
  wake: () => void
}

/** What this process delivers at the moment. */
const loops = new WeakMap<Services, Map<string, Loop>>()

/** How to deliver what is due under one name. */
export interface Delivering<Due> {
  /** Takes what is due and may begin now; nothing when there is none. */
  claim: () => Promise<readonly Due[]>
  /** Delivers one, and keeps what came of it. */
  deliver: (due: Due) => Promise<void>
}

/**
 * Delivers until nothing is due. Each delivery takes its own time: one that waits for its receiver holds up no other. Whoever asks while
 * the same is going on in this process is answered at once, for what they ask for is taken along.
 *
 * @throws the first failure of claiming or delivering, when all that had begun is over
 */
export const drain = async <Due>(
  services: Services,
  name: string,
  { claim, deliver }: Delivering<Due>,
): Promise<void> => {
  const own = loops.get(services) ?? new Map<string, Loop>()
  loops.set(services, own)
  const present = own.get(name)
  if (present) {
    present.isAsked = true
    present.wake()
    return
  }
  const loop: Loop = { isAsked: false, wake: () => {} }
  own.set(name, loop)
  const running = new Set<Promise<void>>()
  const failures: unknown[] = []
  try {
    for (let isOver = false; !isOver; ) {
      loop.isAsked = false
      const asked = new Promise<void>((resolve) => {
        loop.wake = resolve
      })
      const claimed = failures.length === 0 ? await claim() : []
      for (const due of claimed) {
        const one = deliver(due)
          .catch((error: unknown) => void failures.push(error))
          .finally(() => {
            running.delete(one)
            // What waited for this one may begin.
            loop.isAsked = true
          })
        running.add(one)
      }
      if (claimed.length > 0) continue
      if (running.size > 0) await Promise.race([...running, asked])
      else isOver = !loop.isAsked || failures.length > 0
    }
  } finally {
    own.delete(name)
    await Promise.all(running)
  }
  if (failures.length > 0) throw failures[0]
}
