import { useState } from 'react'
import type { InputOf } from '#contract/endpoint.ts'
import {
  approveTimeRecords,
  countTimeRecords,
  decideTimeChange,
  deleteTimeRecord,
  getHoursSummary,
  getTimeRecord,
  listMissedTimeRecords,
  listTimeRecords,
  rejectTimeRecords,
  restoreTimeRecord,
  type TimeRecord,
  undoDecisions,
} from '#contract/time.ts'
import { useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { attempt } from '#web/ui/attempt.ts'
import { formatHours } from '#web/ui/dates.ts'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { RejectDialog } from './RejectDialog.tsx'

/** Everything that shows records; read again after each change. */
export const recordReads = [
  listTimeRecords,
  countTimeRecords,
  getTimeRecord,
  listMissedTimeRecords,
  getHoursSummary,
] as const

type ApproveBody = InputOf<typeof approveTimeRecords>['body']

/** Approving, rejecting and their undo, with the toasts that tell what happened. */
export const useDeciding = (onDecided: () => void) => {
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
  const [rejecting, setRejecting] = useState<readonly TimeRecord[]>()

  const attemptIt = (work: () => Promise<void>) => attempt(work, words('time.failed'))
  const takeBack = (DecidedAt: string) =>
    void attemptIt(async () => {
      const { Undone } = await undo.run({ params, body: { DecidedAt } })
      toast.done(words('time.undone', { count: Undone }))
    })

  return {
    isRunning: approve.isRunning || reject.isRunning,
    approve: (body: ApproveBody) =>
      attemptIt(async () => {
        const { Approved, Minutes, DecidedAt } = await approve.run({ params, body })
        onDecided()
        if (Approved === 0 || DecidedAt === null) toast.error(words('time.approvedNone'))
        else
          toast.done({
            title: words('time.approvedToast', { count: Approved, hours: formatHours(Minutes) }),
            undo: () => takeBack(DecidedAt),
          })
      }),
    askReject: (records: readonly TimeRecord[]) => setRejecting(records),
    decideChange: (record: TimeRecord, Accept: boolean) =>
      attemptIt(async () => {
        await change.run({ params: { programId, recordId: record.Id }, body: { Accept } })
        toast.done(
          Accept
            ? words('time.changeAccepted', { time: record.TimeChangeRequest?.Time ?? '' })
            : words('time.changeRefused'),
        )
      }),
    remove: (record: TimeRecord) =>
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
      }),
    dialog: rejecting && (
      <RejectDialog
        records={rejecting}
        onClose={() => setRejecting(undefined)}
        onReject={async (Reason) => {
          const { Rejected, DecidedAt } = await reject.run({
            params,
            body: { Ids: rejecting.map(({ Id }) => Id), Reason },
          })
          setRejecting(undefined)
          onDecided()
          if (DecidedAt === null) toast.error(words('time.approvedNone'))
          else
            toast.done({
              title: words('time.rejectedToast', { count: Rejected }),
              undo: () => takeBack(DecidedAt),
            })
        }}
      />
    ),
  }
}
