import { useState } from 'react'
import type { AnswerOf, InputOf } from '#contract/core/endpoint.ts'
import {
  approveTimeRecords,
  decideTimeChange,
  type listDecisions,
  previewApproval,
  rejectTimeRecords,
  undoDecisions,
} from '#contract/time/approvals.ts'
import { deleteTimeRecord, restoreTimeRecord, type TimeRecord } from '#contract/time/time-records.ts'
import { call } from '#web/api/call.ts'
import { useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { attempt } from '#web/ui/attempt.ts'
import { confirm } from '#web/ui/confirm.ts'
import { formatDate, formatHours } from '#web/ui/dates.ts'
import { later } from '#web/ui/later.tsx'
import { toast } from '#web/ui/toast.tsx'
import type { WordKey } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import type { Approving, Chosen, Ticked } from './CarefulDialog.tsx'
import { type Approved, isUnforeseen, type LeftOutCount, leftOutText } from './left-out.ts'
import { recordReads } from './record-reads.ts'
import { typeName } from './record-words.tsx'
import classes from './time.module.css'

const HalfDialog = later(() => import('./HalfDialog.tsx').then((m) => m.HalfDialog))
const LeftOutDialog = later(() => import('./LeftOutDialog.tsx').then((m) => m.LeftOutDialog))
const CarefulDialog = later(() => import('./CarefulDialog.tsx').then((m) => m.CarefulDialog))
const UndoDialog = later(() => import('./UndoDialog.tsx').then((m) => m.UndoDialog))
const RejectDialog = later(() => import('./RejectDialog.tsx').then((m) => m.RejectDialog))

/** A pair is one shift: more than that was decided in one go. */
export const isMany = (records: number): boolean => records > 2

/** A clock-in or clock-out without its other half cannot be approved. */
export const isApprovable = ({ Type, PartnerId }: Pick<Chosen, 'Type' | 'PartnerId'>): boolean =>
  (Type !== 'in' && Type !== 'out') || PartnerId !== null

/** While a time change waits for a record or its other half, both are approved with a decision about it. */
export const isHeldByChange = ({ Reasons }: Pick<Chosen, 'Reasons'>): boolean =>
  Reasons.some(({ Code }) => Code === 'change_asked')

const namesOf = ({ Student, Date: date }: Pick<TimeRecord, 'Student' | 'Date'>) => ({
  name: Student,
  date: formatDate(date),
})

type Decision = AnswerOf<typeof listDecisions>[number]
type ApproveBody = NonNullable<InputOf<typeof approveTimeRecords>['body']>
type Filter = NonNullable<InputOf<typeof previewApproval>['query']>

/** Where shifts are listed, not their records, it is told of shifts. */
export interface ByShift {
  approved: WordKey
  rejected: WordKey
  undone: WordKey
}

/** Approving, rejecting and their undo, with the toasts that tell what happened. */
export const useDeciding = (onDecided: () => void, byShift?: ByShift) => {
  const words = useWords()
  const programId = useProgramId()
  const params = { programId }
  const refresh = { refresh: recordReads }
  const approve = useSave(approveTimeRecords, refresh)
  const reject = useSave(rejectTimeRecords, refresh)
  const undo = useSave(undoDecisions, refresh)
  const change = useSave(decideTimeChange, refresh)
  const remove = useSave(deleteTimeRecord, refresh)
  const restore = useSave(restoreTimeRecord, refresh)
  const [told, setTold] = useState<Approved>()
  const [adding, setAdding] = useState<TimeRecord>()
  const [undoing, setUndoing] = useState<Decision>()
  const [rejecting, setRejecting] = useState<readonly TimeRecord[]>()
  const [asking, setAsking] = useState<
    (Approving | Ticked) & { go: (withCareful: boolean) => Promise<unknown> }
  >()

  const attemptIt = (work: () => Promise<void>) => attempt(work, words('time.failed'))
  const takeBack = (
    DecidedAt: string,
    Ids?: readonly number[],
    whose?: Pick<TimeRecord, 'Student' | 'Date'>,
  ) =>
    attemptIt(async () => {
      const { Undone } = await undo.run({ params, body: { DecidedAt, ...(Ids && { Ids: [...Ids] }) } })
      if (Undone === 0) toast.error(words('time.noneToUndo'))
      else if (whose) toast.done(words('time.undoneOf', namesOf(whose)))
      else toast.done(words(byShift?.undone ?? 'time.undone', { count: Undone }))
    })

  /** Of many records, whom it concerns is shown first, and some of them can stay: it may be hours ago that they were decided. */
  const askTakeBack = (decision: Decision, whose?: Pick<TimeRecord, 'Student' | 'Date'>) =>
    isMany(decision.Records) ? setUndoing(decision) : void takeBack(decision.DecidedAt, undefined, whose)

  /** Beside the undo of all in a toast: the way to undo only some. */
  const undoSome = (decision: Decision) =>
    isMany(decision.Records) && (
      <button type="button" className={classes.link} onClick={() => setUndoing(decision)}>
        {words('time.undoSome')}
      </button>
    )

  /** Approves, and tells what was left out: by the server, and before it by whoever chose. */
  const approveIt = (body: ApproveBody, only?: TimeRecord, notChosen: readonly LeftOutCount[] = []) =>
    attemptIt(async () => {
      const done = await approve.run({ params, body })
      const { Approved, Students, Minutes, ShiftMinutes, Halves, DecidedAt, LeftOut, LeftOutReasons } = done
      const leftOut = leftOutText(words, [...notChosen, ...LeftOutReasons])
      onDecided()
      const hasUnforeseen = LeftOut.some(isUnforeseen)
      if (hasUnforeseen) setTold(done)
      if (DecidedAt !== null)
        toast.done({
          title: only
            ? words(
                only.Type === 'absence'
                  ? 'time.approvedAbsence'
                  : Halves > 0
                    ? only.Type === 'in'
                      ? 'time.approvedIn'
                      : 'time.approvedOut'
                    : 'time.approvedOne',
                // Of a pair whose other half waits the server counts no shift; what counts is what the half itself has.
                { ...namesOf(only), hours: formatHours(Halves > 0 ? Minutes : ShiftMinutes) },
              )
            : words(byShift?.approved ?? 'time.approvedToast', {
                count: byShift ? Students : Approved,
                hours: formatHours(Minutes),
                people: Students,
              }),
          detail: (
            <>
              {leftOut && <div>{leftOut}</div>}
              {undoSome({ DecidedAt, Status: 'approved', Records: Approved, Minutes })}
            </>
          ),
          undo: () => void takeBack(DecidedAt, undefined, only),
        })
      else if (!hasUnforeseen) toast.error(words('time.approvedNone'))
    })

  const removeIt = (record: TimeRecord) =>
    attemptIt(async () => {
      const at = { params: { programId, recordId: record.Id } }
      await remove.run(at)
      onDecided()
      toast.done({
        title: words('time.deleted', { name: record.Student }),
        undo: () =>
          void attemptIt(async () => {
            await restore.run(at)
            toast.done(words('time.restored', { name: record.Student }))
          }),
      })
    })

  const askRemove = async (record: TimeRecord) => {
    const text = words(record.PartnerId === null ? 'time.askDelete' : 'time.askDeleteHalf', {
      ...namesOf(record),
      what: typeName(words, record.Type),
      time: record.Time,
    })
    if (await confirm({ text, verb: words('time.delete'), danger: true })) await removeIt(record)
  }

  const approveDeciding = (records: readonly Pick<TimeRecord, 'Id'>[], Accept: boolean, only?: TimeRecord) =>
    approveIt({ Ids: records.map(({ Id }) => Id), TimeChanges: Accept ? 'accept' : 'decline' }, only)

  return {
    byShift: byShift !== undefined,
    isRunning: approve.isRunning || reject.isRunning || change.isRunning || undo.isRunning,
    approve: approveIt,
    askTakeBack,
    takeBack,
    /** Decides the time changes that are asked for these records or their other halves, and approves all of them. */
    approveDeciding,
    /** Adds the half that a punch lacks. */
    askHalf: (record: TimeRecord) => setAdding(record),
    /** Approves what was ticked; records in Careful Review among them are named first. */
    approveChosen: async (chosen: readonly Chosen[]) => {
      const whole = chosen.filter(isApprovable)
      const asked = whole.filter(isHeldByChange)
      const ready = whole.filter((each) => !isHeldByChange(each))
      const careful = ready.filter(({ Insight }) => Insight === 3)
      const rest = ready.filter(({ Insight }) => Insight !== 3)
      const idsOf = (records: readonly Chosen[]) => ({ Ids: records.map(({ Id }) => Id) })
      if (whole.length === 0) return toast.error(words('time.unmatchedFirst'))
      // Those that cannot be approved go along: the answer names them.
      if (careful.length === 0) return void approveIt(idsOf(chosen))
      setAsking({
        ready,
        careful,
        rest,
        asked,
        go: (withCareful) =>
          withCareful
            ? approveIt(idsOf(chosen))
            : approveIt(idsOf(rest), undefined, [
                { Reason: 'careful', Count: careful.length },
                { Reason: 'change_asked', Count: asked.length },
              ]),
      })
    },
    /** Approves those of a filter that nothing speaks against. */
    approveClean: (filter: Filter) => approveIt({ Filter: { ...filter, Insight: '1' } }),
    /** Approves all of a filter; what is not clean is named first, by reason and number, unless that is what the filter chooses. */
    approveAll: (filter: Filter) =>
      attemptIt(async () => {
        const { NeedReview, NeedReviewReasons, ...found } = await call(previewApproval, {
          params,
          query: filter,
        })
        const isOfAll = filter.Insight === undefined || filter.Insight === '0'
        const unclean = found.Careful + (isOfAll ? NeedReview : 0)
        const go = (withCareful: boolean) =>
          withCareful || !isOfAll
            ? approveIt({ Filter: filter, IncludeCareful: withCareful })
            : approveIt({ Filter: { ...filter, Insight: '1' } }, undefined, [
                { Reason: 'careful', Count: found.Careful },
                { Reason: 'review', Count: NeedReview },
                { Reason: 'change_asked', Count: found.ChangeAsked },
              ])
        if (unclean > 0)
          setAsking({
            ...found,
            ...(isOfAll && { NeedReview, NeedReviewReasons }),
            Rest: found.Records - unclean,
            go,
          })
        else await go(false)
      }),
    askReject: (records: readonly TimeRecord[]) => setRejecting(records),
    decideChange: (record: TimeRecord, Accept: boolean) =>
      attemptIt(async () => {
        await change.run({ params: { programId, recordId: record.Id }, body: { Accept } })
        toast.done(
          record.TimeChangeRequest?.IsRemoval
            ? words(Accept ? 'time.removalAccepted' : 'time.removalRefused', { name: record.Student })
            : Accept
              ? words('time.changeAccepted', {
                  name: record.Student,
                  time: record.TimeChangeRequest?.Time ?? '',
                  was: record.Time,
                })
              : words('time.changeRefused', { name: record.Student }),
        )
      }),
    askRemove,
    remove: removeIt,
    dialog: undoing ? (
      <UndoDialog
        decision={undoing}
        isRunning={undo.isRunning}
        onUndo={(Ids) => takeBack(undoing.DecidedAt, Ids)}
        onClose={() => setUndoing(undefined)}
      />
    ) : told ? (
      <LeftOutDialog
        approved={told}
        onDecide={(records, accept) => {
          setTold(undefined)
          void approveDeciding(records, accept)
        }}
        onClose={() => setTold(undefined)}
      />
    ) : adding ? (
      <HalfDialog half={adding} onClose={() => setAdding(undefined)} />
    ) : asking ? (
      <CarefulDialog
        approving={asking}
        byShift={byShift !== undefined}
        onClose={() => setAsking(undefined)}
        onApprove={(withCareful) => {
          setAsking(undefined)
          void asking.go(withCareful)
        }}
      />
    ) : (
      rejecting && (
        <RejectDialog
          records={rejecting}
          byShift={byShift !== undefined}
          onClose={() => setRejecting(undefined)}
          onReject={async (Reason) => {
            const { Rejected, DecidedAt } = await reject.run({
              params,
              body: {
                Ids: rejecting.map(({ Id }) => Id),
                Reason,
                SeenApproved: rejecting.filter(({ Status }) => Status === 'approved').map(({ Id }) => Id),
              },
            })
            setRejecting(undefined)
            onDecided()
            if (DecidedAt === null) toast.error(words('time.approvedNone'))
            else
              toast.done({
                title:
                  rejecting.length === 1 || byShift
                    ? words(byShift?.rejected ?? 'time.rejectedOne', namesOf(rejecting[0]!))
                    : words('time.rejectedToast', { count: Rejected }),
                detail: undoSome({ DecidedAt, Status: 'rejected', Records: Rejected, Minutes: 0 }),
                undo: () =>
                  void takeBack(
                    DecidedAt,
                    undefined,
                    rejecting.length === 1 || byShift ? rejecting[0] : undefined,
                  ),
              })
          }}
        />
      )
    ),
  }
}
