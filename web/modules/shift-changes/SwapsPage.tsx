import { listOwnShiftChanges } from '#contract/shift-changes/shift-changes.ts'
import { useLiveEvent } from '#web/api/live.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead } from '#web/api/use-call.ts'
import { Button } from '#web/ui/buttons.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { Tabs } from '#web/ui/Tabs.tsx'
import { useWords } from '#web/words/use-words.ts'
import { OfferCard } from './OfferCard.tsx'
import { OfferDialog } from './OfferDialog.tsx'
import { OwnRequestCard } from './OwnRequestCard.tsx'
import classes from './shift-changes.module.css'

const pageSize = 25

/** Shifts that others offer, and what became of the own ones. */
export function SwapsPage() {
  const words = useWords()
  const [at, setAt] = useAddress({ show: 'offers', page: 1, shift: null as number | null })
  const show = at.show === 'own' ? 'own' : 'offers'
  return (
    <Page
      title={words('shiftChanges.swapsTitle')}
      inset
      actions={<Button onClick={() => setAt({ shift: 0 })}>{words('shiftChanges.offerShift')}</Button>}
    >
      <div className={classes.narrow}>
        <Tabs
          label={words('shiftChanges.ownTabs')}
          value={show}
          onChange={(next) => setAt({ show: next, page: 1 })}
          tabs={(['offers', 'own'] as const).map((value) => ({
            value,
            label: words(value === 'offers' ? 'shiftChanges.tabOffers' : 'shiftChanges.tabOwn'),
            content: <Changes show={value} page={at.page} onPage={(page) => setAt({ page })} />,
          }))}
        />
      </div>
      {at.shift !== null && (
        <OfferDialog
          assignmentId={at.shift || null}
          onClose={(isOffered) => setAt({ shift: null, ...(isOffered && { show: 'own', page: 1 }) })}
        />
      )}
    </Page>
  )
}

function Changes(props: { show: 'offers' | 'own'; page: number; onPage: (page: number) => void }) {
  const words = useWords()
  const { show, page, onPage } = props
  const changes = useRead(listOwnShiftChanges, { query: { show, page, pageSize } })
  useLiveEvent('notifications', () => void changes.refetch(), 1_000)
  const { data } = changes
  if (changes.error && !data)
    return <PageMessage kind="error" text={changes.error.message} onRetry={() => void changes.refetch()} />
  if (!data) return null
  if (data.Items.length === 0)
    return (
      <PageMessage
        kind="empty"
        text={words(
          data.IsOff
            ? 'shiftChanges.swapsOff'
            : show === 'offers'
              ? 'shiftChanges.noOffers'
              : 'shiftChanges.noRequests',
        )}
      />
    )
  return (
    <>
      <ul className={classes.cards}>
        {data.Items.map((change) =>
          show === 'offers' ? (
            <OfferCard key={change.Id} change={change} />
          ) : (
            <OwnRequestCard key={change.Id} change={change} />
          ),
        )}
      </ul>
      {(data.Total ?? 0) > pageSize && (
        <Pager page={page} pageSize={pageSize} total={data.Total ?? 0} onPage={onPage} />
      )}
    </>
  )
}
