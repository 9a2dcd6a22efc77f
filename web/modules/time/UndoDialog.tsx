import { IconArrowBackUp } from '@tabler/icons-react'
import { useState } from 'react'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import { listDecided, type listDecisions } from '#contract/time/approvals.ts'
import { useRead } from '#web/api/use-call.ts'
import { useProgramId, useTimeZone } from '#web/api/use-state.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { formatHours, timeOfInstant } from '#web/ui/dates.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { useWords } from '#web/words/use-words.ts'
import { statusName } from './record-words.tsx'
import { shiftName, shiftSpan } from './shift-words.ts'
import classes from './time.module.css'

type Decision = AnswerOf<typeof listDecisions>[number]
type Decided = AnswerOf<typeof listDecided>['Items'][number]

/** A clock-in with its clock-out is one line. */
const shiftsOf = (records: readonly Decided[]): Decided[][] => {
  const found = new Map(records.map((record) => [record.Id, record]))
  return records.flatMap((record) => {
    const other = record.PartnerId === null ? undefined : found.get(record.PartnerId)
    if (!other) return [[record]]
    return record.Type === 'in' ? [[record, other]] : []
  })
}

const pageSize = 100

/** What was approved or rejected in one go: all of it is taken back here, or one shift after the other. */
export function UndoDialog(props: {
  decision: Decision
  isRunning: boolean
  onUndo: (ids?: readonly number[]) => Promise<unknown>
  onClose: () => void
}) {
  const { decision, isRunning, onUndo, onClose } = props
  const { DecidedAt, Status } = decision
  const words = useWords()
  const zone = useTimeZone()
  const [page, setPage] = useState(1)
  const records = useRead(listDecided, {
    params: { programId: useProgramId() },
    query: { DecidedAt, page, pageSize },
  })
  const total = records.data?.Total ?? decision.Records
  const shifts = shiftsOf(records.data?.Items ?? [])
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('time.undoTitle', {
        status: statusName(words, Status),
        time: timeOfInstant(DecidedAt, zone),
      })}
      subtitle={words('time.undoHint')}
      summary={
        total < decision.Records
          ? words('time.askUndoRest', { count: total })
          : words(Status === 'approved' ? 'time.askUndoApproval' : 'time.askUndoRejection', {
              count: total,
              hours: formatHours(decision.Minutes),
            })
      }
      actions={
        <>
          <LeaveButton onClick={onClose}>{words('ui.close')}</LeaveButton>
          <Button
            loading={isRunning}
            disabled={total === 0}
            onClick={() => {
              onClose()
              void onUndo()
            }}
          >
            {words('time.undoAll', { count: total })}
          </Button>
        </>
      }
    >
      {records.error && (
        <PageMessage kind="error" text={records.error.message} onRetry={() => void records.refetch()} />
      )}
      <ul className={classes.undos}>
        {shifts.map((Records) => (
          <li key={Records[0]!.Id}>
            <span>
              <b>{Records[0]!.Student}</b>
              <small>{shiftSpan(words, { Records })}</small>
            </span>
            <button
              type="button"
              className={classes.link}
              data-decides
              aria-label={words('time.undoOf', { name: shiftName(words, { Records }) })}
              disabled={isRunning}
              onClick={() => void onUndo(Records.map(({ Id }) => Id))}
            >
              <IconArrowBackUp size={15} stroke={1.75} aria-hidden />
              {words('ui.undo')}
            </button>
          </li>
        ))}
      </ul>
      <Pager page={page} pageSize={pageSize} total={total} onPage={setPage} />
    </Dialog>
  )
}
