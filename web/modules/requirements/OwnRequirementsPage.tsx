import { IconAlertTriangle, IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import { webAddressOf } from '#contract/core/writing.ts'
import { type OwnRequest, withdrawExemptionRequest } from '#contract/requirements/exemption-requests.ts'
import {
  getOwnProofFile,
  getOwnRequirements,
  type OwnRequirement,
  withdrawProof,
} from '#contract/requirements/own-requirements.ts'
import type { Proof } from '#contract/requirements/requirement-fields.ts'
import { isMet, nextAsked } from '#contract/requirements/requirement-rules.ts'
import { callAddress } from '#web/api/call.ts'
import { useLiveEvent } from '#web/api/live.ts'
import type { Kept } from '#web/api/queue/stores.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { KeptHere } from '#web/shared/KeptHere.tsx'
import { RequirementState } from '#web/shared/RequirementState.tsx'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { attemptWhenSure } from '#web/ui/attempt-when-sure.ts'
import { Button } from '#web/ui/buttons.ts'
import { dateOfInstant, formatDate } from '#web/ui/dates.ts'
import { LoadingRows } from '#web/ui/LoadingRows.tsx'
import { OwnCard, OwnPart, OwnScreen } from '#web/ui/OwnScreen.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { AskExemptionDialog } from './AskExemptionDialog.tsx'
import { OwnDisclosures } from './OwnDisclosures.tsx'
import classes from './own-requirements.module.css'
import { ProofDialog } from './ProofDialog.tsx'
import { proofKind } from './proof-kind.ts'
import { exemptionWords, ruleText, siteRefusalText, slashed } from './rule-words.ts'
import { SignDialog } from './SignDialog.tsx'

const keyOf = ({ Id, SiteId }: OwnRequirement): string => `${Id} ${SiteId ?? 0}`

/** What can still be done about it. */
const needsStudent = ({ Standing, Rule }: OwnRequirement): boolean =>
  Rule.Kind !== 'result' &&
  (Standing.State === 'missing' ||
    Standing.State === 'returned' ||
    Standing.State === 'expired' ||
    (Standing.State === 'expiring' && !Standing.IsWaiting))

/** A student's requirements by urgency: what is asked, what it blocks, and the camera. */
export function OwnRequirementsPage() {
  const words = useWords()
  const own = useRead(getOwnRequirements)
  useLiveEvent('requirements', () => void own.refetch(), 1_000)
  const [showing, setShowing] = useState<OwnRequirement>()
  const [asking, setAsking] = useState<OwnRequirement>()
  if (own.error && !own.data) return <ReadProblem read={own} />
  const items = own.data?.Items ?? []
  const today = own.data?.Today ?? ''
  const open = items.filter(needsStudent)
  const waiting = items.filter((each) => !needsStudent(each) && !isMet(each.Standing.State))
  const inOrder = items.filter((each) => !needsStudent(each) && isMet(each.Standing.State))
  const list = (title: string, rows: OwnRequirement[]) =>
    rows.length > 0 && (
      <OwnPart title={title}>
        <OwnCard>
          {rows.map((row) => (
            <li key={keyOf(row)}>
              <RequirementRow
                row={row}
                today={today}
                onShow={() => setShowing(row)}
                onAsk={() => setAsking(row)}
              />
            </li>
          ))}
        </OwnCard>
      </OwnPart>
    )
  return (
    <OwnScreen title={words('requirements.ownTitle')}>
      <KeptProofs items={items} />
      {own.isPending && <LoadingRows />}
      {own.data && items.length === 0 && <PageMessage kind="empty" text={words('requirements.ownNone')} />}
      {own.data && items.length > 0 && open.length === 0 && (
        <p className={classes.lead}>
          {words('requirements.ownReady')} <span>{words('requirements.ownReadyDetail')}</span>
        </p>
      )}
      {open.length > 0 && (
        <p className={classes.lead}>{words('requirements.ownOpen', { count: open.length })}</p>
      )}
      {list(words('requirements.needsYou'), open)}
      {list(words('requirements.waits'), waiting)}
      {list(words('requirements.inOrder'), inOrder)}
      {items.length > 0 && (
        <p className={classes.lead}>
          <span>{words('requirements.ownNotVendors')}</span>
        </p>
      )}
      <OwnDisclosures />
      {showing &&
        (showing.Rule.Kind === 'signed' ? (
          <SignDialog requirement={showing} onClose={() => setShowing(undefined)} />
        ) : (
          <ProofDialog requirement={showing} today={today} onClose={() => setShowing(undefined)} />
        ))}
      {asking && <AskExemptionDialog requirement={asking} onClose={() => setAsking(undefined)} />}
    </OwnScreen>
  )
}

/** What waits on this device, and what the server refused. */
function KeptProofs({ items }: { items: readonly OwnRequirement[] }) {
  const words = useWords()
  const nameOf = ({ input }: Kept): string => {
    // `sendProofOrKeep` keeps nothing else.
    const { proof } = input.body as { proof: { RequirementId: number } }
    return (
      items.find(({ Id }) => Id === proof.RequirementId)?.Name ?? words('requirements.unknownRequirement')
    )
  }
  return (
    <KeptHere
      kind={proofKind}
      sentText={words('requirements.sentLate')}
      waitingText={(item) => words('requirements.waitingHere', { name: nameOf(item) })}
      refusedText={(item, reason) => words('requirements.refusedHere', { name: nameOf(item), reason })}
    />
  )
}

function RequirementRow(props: {
  row: OwnRequirement
  today: string
  onShow: () => void
  onAsk: () => void
}) {
  const { row, today } = props
  const words = useWords()
  const [isOpen, setOpen] = useState(needsStudent(row))
  const { Standing, Rule: rule } = row
  const link = webAddressOf(row.Link)
  const returned = row.Proofs[0]?.State === 'returned' ? row.Proofs[0] : undefined
  const mayAsk = !isMet(Standing.State) && row.Request?.State !== 'open'
  const mayShow = rule.Kind !== 'result' && (rule.Kind !== 'signed' || !isMet(Standing.State))
  return (
    <div className={classes.row}>
      <button type="button" className={classes.head} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span className={classes.name}>
          <b>{row.Name}</b>
          {row.Site && <span>{words('requirements.atSite', { site: row.Site })}</span>}
        </span>
        <RequirementState state={Standing.State} until={Standing.ExpiresOn} />
        <IconChevronDown
          size={18}
          stroke={1.75}
          aria-hidden
          className={classes.turn}
          data-open={isOpen || undefined}
        />
      </button>
      {row.Blocks && (
        <p className={classes.blocks}>
          <IconAlertTriangle size={16} stroke={2} aria-hidden />
          {words('requirements.blocks', { site: row.Blocks.Site, date: formatDate(row.Blocks.Date) })}
        </p>
      )}
      {row.SiteRefuses && <p className={classes.reason}>{siteRefusalText(words, row)}</p>}
      {Standing.Next && (
        <p className={classes.next}>
          {words(
            Standing.Next.Kind === 'dose'
              ? 'requirements.nextDose'
              : Standing.Next.Kind === 'titer'
                ? 'requirements.nextTiter'
                : 'requirements.nextNonResponder',
            {
              number: Standing.Next.Number,
              of: Standing.Next.Of,
              date: formatDate(Standing.Next.From < today ? today : Standing.Next.From),
            },
          )}
        </p>
      )}
      {row.Notice && (
        <p className={classes.reason}>
          {words('requirements.ownNotice', {
            date: formatDate(row.Notice.SentOn),
            until: formatDate(row.Notice.AnswerBy),
          })}
        </p>
      )}
      {row.Request && <OwnRequestLine request={row.Request} requirementId={row.Id} />}
      {returned && Standing.IsReturned && (
        <p className={classes.reason}>
          {words('requirements.returnedBecause', { reason: returned.ReturnReason })}
        </p>
      )}
      {isOpen && (
        <div className={classes.more}>
          <p>{row.Instructions || ruleText(words, rule)}</p>
          {rule.Kind === 'season' && (
            <p>
              {words('requirements.askedFrom', {
                from: formatDate(nextAsked(rule, today)),
                through: slashed(rule.AskedThrough),
                dose: slashed(rule.DoseFrom),
              })}
            </p>
          )}
          {Standing.Exemption && <p>{words(exemptionWords[Standing.Exemption])}</p>}
          {rule.Kind === 'result' && <p>{words('requirements.fromVendor')}</p>}
          {link && (
            <p>
              <a href={link} target="_blank" rel="noreferrer">
                {words('requirements.howTo')}
              </a>
            </p>
          )}
          {row.Proofs.length > 0 && (
            <ul className={classes.proofs} aria-label={words('requirements.earlier')}>
              {row.Proofs.map((proof) => (
                <li key={proof.Id}>
                  <OwnProof proof={proof} />
                </li>
              ))}
            </ul>
          )}
          {mayAsk && (
            <Button variant="default" size="lg" onClick={props.onAsk}>
              {words('requirements.askLink')}
            </Button>
          )}
          {mayShow && (
            <Button size="lg" variant={needsStudent(row) ? 'filled' : 'default'} onClick={props.onShow}>
              {words(
                rule.Kind === 'signed'
                  ? 'requirements.sign'
                  : row.Proofs.length > 0
                    ? 'requirements.showAgain'
                    : 'requirements.show',
              )}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

/** An exemption that was asked for: what it waits for, or what became of it. */
function OwnRequestLine({ request, requirementId }: { request: OwnRequest; requirementId: number }) {
  const words = useWords()
  const withdraw = useSave(withdrawExemptionRequest, { refresh: [getOwnRequirements] })
  const kind = words(exemptionWords[request.Kind])
  if (request.State === 'granted') return null
  if (request.State === 'declined')
    return (
      <p className={classes.reason}>{words('requirements.ownDeclined', { kind, answer: request.Answer })}</p>
    )
  return (
    <div className={classes.asked}>
      <p>{words('requirements.ownAsked', { kind, date: formatDate(dateOfInstant(request.AskedAt)) })}</p>
      <Button
        variant="default"
        loading={withdraw.isRunning}
        onClick={() =>
          void attemptWhenSure(
            { text: words('requirements.requestWithdrawQuestion'), verb: words('requirements.withdraw') },
            async () => {
              await withdraw.run({ params: { requirementId } })
              toast.done(words('requirements.requestWithdrawn'))
            },
            words('requirements.requestNotWithdrawn'),
          )
        }
      >
        {words('requirements.withdraw')}
      </Button>
    </div>
  )
}

function OwnProof({ proof }: { proof: Proof }) {
  const words = useWords()
  const withdraw = useSave(withdrawProof, { refresh: [getOwnRequirements] })
  const sentOn = formatDate(dateOfInstant(proof.SentAt))
  const until = proof.Events.flatMap(({ Until }) => Until ?? [])
    .toSorted()
    .at(-1)
  return (
    <>
      <span className={classes.name}>
        <span>
          {proof.Source === 'signature'
            ? words('requirements.signedBy', { name: proof.SignedName, date: sentOn })
            : words('requirements.sent', { date: sentOn })}
          {until && ` · ${words('requirements.proofUntil', { date: formatDate(until) })}`}
        </span>
        {proof.State === 'returned' && (
          <span>{words('requirements.returnedBecause', { reason: proof.ReturnReason })}</span>
        )}
        {proof.Files.map(({ Position, Name }) => (
          <a
            key={Position}
            href={callAddress(getOwnProofFile, { params: { proofId: proof.Id, position: Position } })}
            download={Name}
            className="p-ellipsis"
            title={Name}
          >
            {Name}
          </a>
        ))}
      </span>
      {proof.State === 'submitted' && proof.Source === 'student' ? (
        <Button
          variant="default"
          loading={withdraw.isRunning}
          onClick={() =>
            void attemptWhenSure(
              { text: words('requirements.withdrawQuestion'), verb: words('requirements.withdraw') },
              async () => {
                await withdraw.run({ params: { proofId: proof.Id } })
                toast.done(words('requirements.withdrawn'))
              },
              words('requirements.notWithdrawn'),
            )
          }
        >
          {words('requirements.withdraw')}
        </Button>
      ) : (
        <RequirementState state={proof.State} />
      )}
    </>
  )
}
