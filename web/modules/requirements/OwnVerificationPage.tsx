import {
  isVerificationType,
  listOwnVerifications,
  type VerificationRow,
} from '#contract/requirements/verifications.ts'
import { PageRedirect } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead } from '#web/api/use-call.ts'
import { useMay } from '#web/api/use-state.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { formatDate } from '#web/ui/dates.ts'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './requirements.module.css'
import { Disclaimer, Expiry, StateTag, titleOf } from './verification-parts.tsx'

/** A person's own background checks or immunizations, for a phone first. Other types are no page. */
export function OwnVerificationPage() {
  const [{ type }] = useAddress({ type: null as number | null })
  return isVerificationType(type) ? <Own key={type} type={type} /> : <PageRedirect to="/not-found" />
}

function Own({ type }: { type: 1 | 2 }) {
  const words = useWords()
  const own = useRead(listOwnVerifications, { query: { Type: type } })
  const maySend = useMay()('requirements.own')
  const rows = own.data?.Items
  const hasNothing = rows?.every(({ Id }) => Id === null)
  const attention = own.data
    ? own.data.Totals.Missing + own.data.Totals.Open + own.data.Totals.Expired + own.data.Totals.Within60
    : 0
  return (
    <Page title={titleOf(type, words)} inset>
      <Disclaimer isOwn />
      {maySend && (
        <p>
          {words('verifications.notProof')}{' '}
          <PageLink href="/new/requirements">{words('verifications.toRequirements')}</PageLink>
        </p>
      )}
      {own.error && <PageMessage kind="error" text={own.error.message} onRetry={() => void own.refetch()} />}
      {hasNothing && (
        <PageMessage
          kind="empty"
          text={words(type === 1 ? 'verifications.ownEmptyBackground' : 'verifications.ownEmptyImmunization')}
        />
      )}
      {rows && !hasNothing && (
        <>
          <p className={classes.lead} role="status">
            {attention > 0
              ? words('verifications.ownSummary', { count: attention })
              : words('verifications.ownAllGood')}
          </p>
          <ul className={classes.cards}>
            {rows.map((row) => (
              <li key={row.Id ?? row.Item}>
                <Card row={row} type={type} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Page>
  )
}

function Card({ row, type }: { row: VerificationRow; type: 1 | 2 }) {
  const words = useWords()
  const facts = [
    [words('verifications.vendor'), row.Vendor],
    ...(type === 1 ? [[words('verifications.ordered'), formatDate(row.Ordered)]] : []),
    [words(type === 1 ? 'verifications.completed' : 'verifications.date'), formatDate(row.Completed)],
    [words('verifications.result'), row.Result],
  ].filter(([, value]) => value)
  return (
    <>
      <header>
        <h2>{row.Item}</h2>
        <StateTag state={row.State} />
      </header>
      {(facts.length > 0 || row.Expires) && (
        <dl>
          {facts.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
          {row.Expires && (
            <div>
              <dt>{words('verifications.expires')}</dt>
              <dd>
                <Expiry row={row} />
              </dd>
            </div>
          )}
        </dl>
      )}
    </>
  )
}
