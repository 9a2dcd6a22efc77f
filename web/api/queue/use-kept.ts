import { useEffect, useState } from 'react'
import type { AnyEndpoint } from '#contract/core/endpoint.ts'
import { onQueueChange } from './changes.ts'
import type { QueueKind } from './item.ts'
import { type Kept, listItems } from './stores.ts'

/**
 * What waits on this device of one kind, oldest first, as it changes in any window; undefined until it is read. `onSent` is
 * told how many the server has taken.
 */
export const useKept = <E extends AnyEndpoint>(
  { name }: QueueKind<E>,
  account: number,
  onSent?: (count: number) => void,
): readonly Kept[] | undefined => {
  const [kept, setKept] = useState<readonly Kept[]>()
  useEffect(() => {
    let isLeft = false
    const look = async () => {
      const items = (await listItems(account)).filter((item) => item.kind === name)
      if (!isLeft) setKept(items)
    }
    const leave = onQueueChange(({ account: changed, sent }) => {
      if (changed !== account) return
      void look()
      if (sent?.kind === name) onSent?.(sent.count)
    })
    void look()
    return () => {
      isLeft = true
      leave()
    }
  }, [name, account, onSent])
  return kept
}
