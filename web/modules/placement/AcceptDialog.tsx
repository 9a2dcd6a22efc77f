import { useState } from 'react'
import { acceptDraft, listAcceptances, undoAcceptance } from '#contract/placement/acceptances.ts'
import { type Draft, getDraft, listDrafts } from '#contract/placement/drafts.ts'
import { getPlacementPlanById, type PlacementPlan } from '#contract/placement/plans.ts'
import type { CallError } from '#web/api/call.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { offerUndo } from '#web/ui/attempt.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { MultiSelectField } from '#web/ui/form/MultiSelectField.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './draft.module.css'
import { problemsOf } from './placement-words.ts'

export type AcceptDialogProps = { plan: PlacementPlan; draft: Draft; onClose: () => void }

const refresh = [getDraft, listDrafts, getPlacementPlanById, listAcceptances] as const

/** Which blocks and students of a draft become shifts, and why they cannot when one is refused. */
export function AcceptDialog({ plan, draft, onClose }: AcceptDialogProps) {
  const words = useWords()
  const programId = useProgramId()
  const [blocks, setBlocks] = useState<string[]>([])
  const [students, setStudents] = useState<string[]>([])
  const [refused, setRefused] = useState<readonly string[]>([])
  const accept = useSave(acceptDraft, { refresh })
  const undo = useSave(undoAcceptance, { refresh })
  const params = { programId, planId: plan.Id }
  const { data } = useRead(getDraft, { params: { ...params, draftId: draft.Id } })
  const { warned } = problemsOf(draft.Figures)
  const acceptIt = async () => {
    try {
      const made = await accept.run({
        params: { ...params, draftId: draft.Id },
        body: { Blocks: blocks.map(Number), StudentIds: students.map(Number) },
      })
      onClose()
      offerUndo({
        deleted: words('placement.acceptedDone', { count: made.Shifts }),
        restore: () => undo.run({ params: { ...params, acceptanceId: made.Id } }),
        restored: words('placement.undone'),
        notRestored: words('placement.notUndone'),
      })
    } catch (error) {
      const { message, body } = error as CallError
      const reasons = (body.Refused as { Message: string }[] | undefined)?.map(({ Message }) => Message)
      setRefused(reasons ? [...new Set(reasons)] : [message])
    }
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('placement.acceptTitle', { name: draft.Name })}
      actions={
        <DialogActions
          verb={words('placement.acceptVerb')}
          onCancel={onClose}
          onRun={() => void acceptIt()}
          isRunning={accept.isRunning}
        />
      }
    >
      <MultiSelectField
        name="accept-blocks"
        label={words('placement.blocks')}
        placeholder={words('placement.allBlocks')}
        options={plan.Blocks.map((_, block) => ({
          value: String(block),
          label: words('placement.block', { number: block + 1 }),
        }))}
        value={blocks}
        onChange={(next) => {
          setBlocks(next)
          // What was refused was another choice.
          setRefused([])
        }}
      />
      <MultiSelectField
        name="accept-students"
        label={words('placement.students')}
        placeholder={words('placement.allOfDraft')}
        options={(data?.Rows ?? []).map(({ StudentId, Student, StudentLevel }) => ({
          value: String(StudentId),
          label: Student,
          ...(StudentLevel && { detail: StudentLevel }),
        }))}
        value={students}
        onChange={(next) => {
          setStudents(next)
          setRefused([])
        }}
      />
      <p>{words('placement.acceptHint')}</p>
      {warned.length > 0 && (
        <div className={classes.problems} style={{ marginInline: 0 }}>
          <b>{words('placement.warnedCount', { count: warned.length })}</b>
          <ul>
            {warned.map(({ Text }) => (
              <li key={Text}>{Text}</li>
            ))}
          </ul>
        </div>
      )}
      {refused.length > 0 && (
        <div className={classes.problems} style={{ marginInline: 0 }} role="alert">
          <b>{words('placement.notAccepted')}</b>
          <ul>
            {refused.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </div>
      )}
    </Dialog>
  )
}
