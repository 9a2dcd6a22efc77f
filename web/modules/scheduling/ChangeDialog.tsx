import { useState } from 'react'
import { changeShiftAssignments, type PlacementAnswer } from '#contract/scheduling/assignments.ts'
import { useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { useSchedulingOptions } from '#web/shared/use-scheduling-options.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import { useWords } from '#web/words/use-words.ts'
import { assignmentReads } from './assignment-reads.ts'

export type ChangeDialogProps = {
  ids: readonly number[]
  onClose: () => void
  onChanged: (answer: PlacementAnswer) => void
  onFailed: (error: unknown) => void
}

/** Puts the selected assignments on another shift. */
export function ChangeDialog({ ids, onClose, onChanged, onFailed }: ChangeDialogProps) {
  const words = useWords()
  const programId = useProgramId()
  const [shiftId, setShiftId] = useState<string | null>(null)
  const shifts = useSchedulingOptions('shift', [])
  const change = useSave(changeShiftAssignments, { refresh: assignmentReads })
  const run = async () => {
    try {
      const answer = await change.run({
        params: { programId },
        body: { Ids: [...ids], SiteShiftId: Number(shiftId) },
      })
      onClose()
      onChanged(answer)
    } catch (error) {
      onFailed(error)
    }
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('scheduling.changeTitle')}
      subtitle={words('scheduling.changeIntro', { count: ids.length })}
      actions={
        <>
          <LeaveButton variant="subtle" color="gray" data-quiet onClick={onClose} />
          <DisabledReason reason={!shiftId && words('scheduling.chooseShift')}>
            <Button loading={change.isRunning} onClick={() => void run()}>
              {words('scheduling.changeVerb', { count: ids.length })}
            </Button>
          </DisabledReason>
        </>
      }
    >
      <SelectField
        name="change-shift"
        label={words('scheduling.siteShift')}
        required
        search={shifts.search}
        value={shiftId}
        onChange={setShiftId}
      />
    </Dialog>
  )
}
