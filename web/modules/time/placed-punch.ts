import { newKey } from '#web/api/new-key.ts'
import { wantSending } from '#web/api/queue/changes.ts'
import { drop, isWaiting, keep } from '#web/api/queue/queue.ts'
import { type Kept, listItems } from '#web/api/queue/stores.ts'
import { punchKind } from './punch-kind.ts'

/**
 * Sends a punch that was refused because nobody knew where it was made, with its site and its own time. What was refused after it
 * is tried again with it: a clock-out may have lacked this clock-in only.
 */
export const placePunch = async (punch: Kept, SiteId: number): Promise<void> => {
  const refused = (await listItems(punch.account)).filter(
    (item) => item.kind === punchKind.name && !isWaiting(item) && item.order >= punch.order,
  )
  for (const item of refused) {
    const body = { ...(item.input.body as object), ...(item.key === punch.key && { SiteId }) }
    // Kept anew before the old one goes: closing the page in between loses nothing.
    await keep(punchKind, item, { body } as Parameters<typeof keep<typeof punchKind.call>>[2], {
      key: newKey(),
      madeAt: item.madeAt,
    })
    await drop(item)
  }
  wantSending()
}
