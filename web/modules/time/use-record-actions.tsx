import {
  IconArrowBackUp,
  IconCheck,
  IconClockCheck,
  IconHistory,
  IconPencil,
  IconTrash,
  IconX,
} from '@tabler/icons-react'
import { useState } from 'react'
import { listDecisions } from '#contract/time/approvals.ts'
import { isTakenBack, type TimeRecord } from '#contract/time/time-records.ts'
import { useRead } from '#web/api/use-call.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import type { RowAction } from '#web/ui/grid/grid-types.ts'
import { useWords } from '#web/words/use-words.ts'
import { HistoryDialog, RecordDialog } from './record-dialogs.ts'
import { isApprovable, isHeldByChange, isMany, type useDeciding } from './use-deciding.tsx'

/** The verbs of a record's row and the dialogs they open. */
export const useRecordActions = (deciding: ReturnType<typeof useDeciding>) => {
  const words = useWords()
  const may = useMay()
  const [open, setOpen] = useState<{ kind: 'edit' | 'history'; record: TimeRecord }>()
  const size = { size: 16, stroke: 1.75 }
  const close = () => setOpen(undefined)
  const mayApprove = may('time.approve')
  // What its student wanted gone is only looked at.
  const mayChange = (record: TimeRecord) => may('time.edit') && !isTakenBack(record)
  const decisions = useRead(
    listDecisions,
    { params: { programId: useProgramId() } },
    { isEnabled: mayApprove },
  )
  const undoOf = (record: TimeRecord): RowAction[] => {
    const decision = decisions.data?.find(
      ({ DecidedAt, Status }) => DecidedAt === record.DecidedAt && Status === record.Status,
    )
    if (!decision) return []
    const { Status, Records, DecidedAt } = decision
    const [only, all] =
      Status === 'approved'
        ? (['time.undoApprovalOnly', 'time.undoApproval'] as const)
        : (['time.undoRejectionOnly', 'time.undoRejection'] as const)
    return [
      ...(isMany(Records)
        ? [
            {
              label: words(only),
              icon: <IconArrowBackUp {...size} />,
              onRun: () => void deciding.takeBack(DecidedAt, [record.Id], record),
            },
          ]
        : []),
      {
        label: words(all, { count: isMany(Records) ? Records : 1 }),
        icon: <IconArrowBackUp {...size} />,
        onRun: () => deciding.askTakeBack(decision, record),
      },
    ]
  }
  const actions = (record: TimeRecord): RowAction[] => {
    const isHeld = isHeldByChange(record)
    const isAsked = record.TimeChangeRequest?.Status === 'asked'
    const time = record.TimeChangeRequest?.Time ?? ''
    const isRemoval = record.TimeChangeRequest?.IsRemoval
    return [
      ...(mayApprove && record.Status === 'pending'
        ? [
            ...(isAsked
              ? [
                  {
                    label: isRemoval ? words('time.takeBackNow') : words('time.acceptChange', { time }),
                    icon: <IconClockCheck {...size} />,
                    onRun: () => void deciding.decideChange(record, true),
                    quick: true,
                    tone: 'good' as const,
                  },
                  {
                    label: isRemoval ? words('time.keepClockIn') : words('time.refuseChange', { time }),
                    icon: <IconArrowBackUp {...size} />,
                    onRun: () => void deciding.decideChange(record, false),
                  },
                ]
              : []),
            ...(isApprovable(record) && isHeld
              ? [
                  {
                    label: words('time.approveWithChange'),
                    icon: <IconCheck {...size} stroke={2} />,
                    onRun: () => void deciding.approveDeciding([record], true, record),
                    tone: 'good' as const,
                  },
                  {
                    label: words('time.approveAsRecorded'),
                    icon: <IconCheck {...size} stroke={2} />,
                    onRun: () => void deciding.approveDeciding([record], false, record),
                  },
                ]
              : []),
            ...(isApprovable(record) && isAsked
              ? []
              : [
                  {
                    label: words('time.approve'),
                    icon: <IconCheck {...size} stroke={2} />,
                    onRun: () => void deciding.approve({ Ids: [record.Id] }, record),
                    quick: true,
                    tone: 'good' as const,
                    reason: !isApprovable(record)
                      ? words('time.approveNeedsHalf')
                      : isHeld && words('time.approveNeedsChange'),
                  },
                ]),
            {
              label: words('time.rejectMore'),
              icon: <IconX {...size} stroke={2} />,
              onRun: () => deciding.askReject([record]),
              quick: true,
              tone: 'danger' as const,
            },
          ]
        : []),
      ...undoOf(record),
      ...(mayChange(record)
        ? [
            {
              label: words('time.edit'),
              icon: <IconPencil {...size} />,
              onRun: () => setOpen({ kind: 'edit', record }),
            },
          ]
        : []),
      {
        label: words('time.history'),
        icon: <IconHistory {...size} />,
        onRun: () => setOpen({ kind: 'history', record }),
      },
      ...(may('time.edit')
        ? [
            {
              label: words('time.delete'),
              icon: <IconTrash {...size} />,
              onRun: () => void deciding.askRemove(record),
              tone: 'danger' as const,
            },
          ]
        : []),
    ]
  }
  return {
    actions,
    openEdit: (record: TimeRecord) => setOpen({ kind: mayChange(record) ? 'edit' : 'history', record }),
    openHistory: (record: TimeRecord) => setOpen({ kind: 'history', record }),
    dialog:
      open?.kind === 'edit' ? (
        <RecordDialog edit={open.record} onClose={close} />
      ) : open ? (
        <HistoryDialog record={open.record} undos={undoOf(open.record)} onClose={close} />
      ) : undefined,
  }
}
