import { useEffect } from 'react'
import { getInboxItems, type InboxRequest, openInboxRequest } from '#contract/inbox/inbox.ts'
import { appRoot } from '#web/api/root.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { InboxCard, type InboxPartProps, InboxRow } from '#web/shared/InboxCard.tsx'
import { attempt } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import type { WordKey } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'

const kinds: Record<InboxRequest['Kind'], WordKey> = {
  list: 'inbox.list',
  exam: 'inbox.exam',
  swap: 'inbox.swap',
}

/** What was mailed to the address by links of their own; each opens its page without another code. */
export function InboxRequests({ place, onLoad }: InboxPartProps) {
  const words = useWords()
  const programId = useProgramId()
  const items = useRead(getInboxItems, { params: { programId } }, { refetchEveryMs: 60_000 })
  const open = useSave(openInboxRequest)
  const requests = items.data?.Requests ?? []
  const count = requests.length
  useEffect(() => {
    if (items.data) onLoad({ things: count, seconds: count * 30 })
  }, [items.data, count, onLoad])
  if (count === 0) return null
  const go = (linkId: number) =>
    attempt(async () => {
      const { Path } = await open.run({ params: { programId, linkId } })
      location.assign(`${appRoot}${Path}`)
    })
  return (
    <InboxCard title={words('inbox.requests')} detail={place}>
      {requests.map(({ LinkId, Kind, Title, Detail }) => (
        <InboxRow
          key={LinkId}
          title={Title}
          detail={`${words(kinds[Kind])} · ${Detail}`}
          end={
            <Button
              variant="default"
              size="md"
              loading={open.isRunning}
              aria-label={words('inbox.openOne', { name: Title })}
              onClick={() => void go(LinkId)}
            >
              {words('inbox.open')}
            </Button>
          }
        />
      ))}
    </InboxCard>
  )
}
