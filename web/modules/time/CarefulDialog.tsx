import { carefulCodes, type DoubtCode } from '#contract/time/insight.ts'
import type { TimeRecord } from '#contract/time/time-records.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { formatHours } from '#web/ui/dates.ts'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { useWords } from '#web/words/use-words.ts'
import { doubtIcon, doubtKind } from './doubt-words.tsx'
import { leftOutText } from './left-out.ts'
import classes from './time.module.css'

/** What a decision about many needs of a record. */
export type Chosen = Pick<TimeRecord, 'Id' | 'Minutes' | 'Type' | 'Insight' | 'Reasons' | 'PartnerId'>

/** What is about to be approved, and how much of it is in Careful Review. */
export interface Approving {
  Records: number
  Minutes: number
  Careful: number
  /** How many are approved when the careful ones are left out. */
  Rest: number
  Reasons: readonly ReasonCount[]
  /** Of these the careful ones are not the only ones that are not clean: what is left without both is clean. */
  NeedReview?: number
  NeedReviewReasons?: readonly ReasonCount[]
  /** How many more a time change is asked for: they are left out. */
  ChangeAsked: number
}
type ReasonCount = { Code: DoubtCode; Count: number }

/** What was ticked and can be approved, which of it is in Careful Review, and what is left without this. */
export interface Ticked {
  ready: readonly Chosen[]
  careful: readonly Chosen[]
  rest: readonly Chosen[]
  /** What was ticked besides and cannot be: a time change is asked for it. */
  asked: readonly Chosen[]
}

const hoursOf = ({ Type, Minutes }: Pick<Chosen, 'Type' | 'Minutes'>): number =>
  Type === 'absence' ? 0 : Minutes

/** How many shifts the records are of. */
const countShifts = (records: readonly Pick<Chosen, 'Id' | 'PartnerId'>[]): number =>
  new Set(records.map(({ Id, PartnerId }) => Math.min(Id, PartnerId ?? Id))).size

/** How many of what is in Careful Review are there for each reason that puts it there. */
const countReasons = (
  careful: readonly Chosen[],
  count: (records: readonly Chosen[]) => number,
): Approving['Reasons'] => {
  const byCode = new Map<DoubtCode, Chosen[]>()
  for (const each of careful)
    for (const { Code } of each.Reasons)
      if (carefulCodes.includes(Code)) byCode.set(Code, [...(byCode.get(Code) ?? []), each])
  return [...byCode]
    .map(([Code, records]) => [Code, count(records)] as const)
    .map(([Code, Count]) => ({ Code, Count }))
    .toSorted((one, other) => other.Count - one.Count)
}

const figuresOf = ({ ready, careful, rest, asked }: Ticked, byShift: boolean): Approving => {
  const count = byShift ? countShifts : (records: readonly Chosen[]) => records.length
  return {
    Records: count(ready),
    Minutes: ready.reduce((sum, record) => sum + hoursOf(record), 0),
    Careful: count(careful),
    Rest: count(rest),
    Reasons: countReasons(careful, count),
    ChangeAsked: count(asked),
  }
}

/** Names the records of Careful Review by reason and number before they are approved with others. */
export function CarefulDialog(props: {
  approving: Approving | Ticked
  /** The numbers are of shifts, not of records. */
  byShift: boolean
  onClose: () => void
  onApprove: (withCareful: boolean) => void
}) {
  const { approving, byShift, onClose, onApprove } = props
  const words = useWords()
  const of: Approving = 'ready' in approving ? figuresOf(approving, byShift) : approving
  const { Records, Minutes, Careful, Rest, Reasons, NeedReview = 0, NeedReviewReasons = [] } = of
  const isOfAll = of.NeedReview !== undefined
  const leftOut = leftOutText(words, [{ Reason: 'change_asked', Count: of.ChangeAsked }])
  const isSeveral = (count: number, reasons: readonly ReasonCount[]) =>
    reasons.reduce((sum, { Count }) => sum + Count, 0) > count
  const figures = { count: Records, hours: formatHours(Minutes) }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={
        isOfAll
          ? words('time.notCleanTitle', { count: Careful + NeedReview })
          : words(byShift ? 'time.carefulShifts' : 'time.carefulTitle', { count: Careful })
      }
      actions={
        <>
          {Rest > 0 && <LeaveButton onClick={onClose} />}
          <Button variant="default" onClick={() => onApprove(true)}>
            {words(
              Rest > 0 ? 'time.carefulAll' : byShift ? 'time.carefulOnlyShifts' : 'time.carefulOnly',
              figures,
            )}
          </Button>
          {/* What needs no second look is the main answer; where there is none, looking is. */}
          {Rest > 0 ? (
            <Button onClick={() => onApprove(false)} data-autofocus>
              {words(isOfAll ? 'time.approveClean' : 'time.carefulRest', {
                count: Rest.toLocaleString('en-US'),
              })}
            </Button>
          ) : (
            <Button onClick={onClose} data-autofocus>
              {words('time.carefulLook')}
            </Button>
          )}
        </>
      }
    >
      {Careful > 0 && <ReasonList status="careful" count={isOfAll ? Careful : undefined} reasons={Reasons} />}
      {NeedReview > 0 && <ReasonList status="review" count={NeedReview} reasons={NeedReviewReasons} />}
      {(isSeveral(Careful, Reasons) || isSeveral(NeedReview, NeedReviewReasons)) && (
        <p className="p-muted">{words(byShift ? 'time.severalReasonsShift' : 'time.severalReasonsRecord')}</p>
      )}
      {leftOut && <p className="p-muted">{leftOut}</p>}
    </Dialog>
  )
}

function ReasonList(props: {
  status: 'careful' | 'review'
  count: number | undefined
  reasons: readonly ReasonCount[]
}) {
  const { status, count, reasons } = props
  const words = useWords()
  return (
    <>
      <p className={classes.carefulText}>
        {count === undefined
          ? words('time.carefulText')
          : words(status === 'careful' ? 'time.carefulBecause' : 'time.reviewBecause', { count })}
      </p>
      <ul className={classes.carefulReasons}>
        {reasons.map(({ Code, Count }) => (
          <li key={Code}>
            <StatusTag status={status} icon={doubtIcon({ Code })}>
              {doubtKind(words, Code)}
            </StatusTag>
            <b>{Count}</b>
          </li>
        ))}
      </ul>
    </>
  )
}
