import { endOwnSession, listSessions } from '#contract/identity/identity.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { attemptWhenSure } from '#web/ui/attempt-when-sure.ts'
import { formatInstant } from '#web/ui/dates.ts'
import { deviceOf } from '#web/ui/device-name.ts'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'

/** One's own sessions; any of them can be ended from here. */
export function SessionsPage() {
  const words = useWords()
  const timeZone = useTimeZone()
  const sessions = useRead(listSessions)
  const end = useSave(endOwnSession, { refresh: [listSessions] })
  return (
    <Page title={words('account.sessionsTitle')}>
      <Grid
        id="sessions"
        label={words('account.sessionsTitle')}
        {...fromList(sessions)}
        rowKey={(row) => row.Id}
        empty={{ text: words('account.sessionsEmpty') }}
        columns={[
          {
            id: 'Agent',
            header: words('account.device'),
            identity: true,
            cell: (row) => deviceOf(row.Agent),
            detail: (row) => row.IsCurrent && words('account.thisOne'),
          },
          { id: 'Address', header: words('account.address'), width: 180 },
          {
            id: 'LastSeenAt',
            header: words('account.lastSeen'),
            width: 200,
            cell: (row) => formatInstant(row.LastSeenAt, timeZone),
          },
        ]}
        actions={(row) => [
          {
            label: words('account.end'),
            quick: true,
            reason: row.IsCurrent && words('account.thisOne'),
            onRun: () =>
              void attemptWhenSure(
                { text: words('account.endQuestion'), verb: words('account.end') },
                async () => {
                  await end.run({ params: { sessionId: row.Id } })
                  toast.done(words('account.ended'))
                },
              ),
          },
        ]}
      />
    </Page>
  )
}
