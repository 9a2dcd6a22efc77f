import { useState } from 'react'
import { getRadiationOfficers, setRadiationOfficers } from '#contract/safety/declarations.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { MultiSelectField } from '#web/ui/form/MultiSelectField.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useAttempt } from '#web/ui/use-attempt.ts'
import { useWords } from '#web/words/use-words.ts'

/** Who sees declarations besides directors. */
export function OfficersDialog({ onClose }: { onClose: () => void }) {
  const words = useWords()
  const programId = useProgramId()
  const read = useRead(getRadiationOfficers, { params: { programId } }, { staleMs: 0 })
  const save = useSave(setRadiationOfficers, { refresh: [getRadiationOfficers] })
  const [chosen, setChosen] = useState<string[]>()
  const { problem, attempt } = useAttempt()
  const value = chosen ?? (read.data?.Ids ?? []).map(String)
  const submit = () =>
    attempt(async () => {
      await save.run({ params: { programId }, body: { Ids: value.map(Number) } }, { basedOn: read.data })
      toast.done(words('safety.didSave'))
      onClose()
    })
  return (
    <Dialog
      opened
      stayOnOutsideClick
      title={words('safety.officersTitle')}
      onClose={onClose}
      actions={
        <DialogActions
          verb={words('safety.save')}
          onCancel={onClose}
          onRun={() => void submit()}
          isRunning={save.isRunning}
          isDisabled={!read.data}
        />
      }
    >
      <MultiSelectField
        label={words('safety.officersField')}
        placeholder={words('safety.officersNone')}
        name="Ids"
        most={5}
        options={(read.data?.Staff ?? []).map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
        value={value}
        onChange={setChosen}
        {...(problem !== undefined && { error: problem })}
      />
    </Dialog>
  )
}
