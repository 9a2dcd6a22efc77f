import { useState } from 'react'
import { type ApiKey, listApiKeys, rotateApiKey } from '#contract/keys/keys.ts'
import { useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { useAttempt } from '#web/ui/use-attempt.ts'
import { useWords } from '#web/words/use-words.ts'
import { KeyShown } from './KeyShown.tsx'

/** Replaces a key; the one before goes on for as long as is chosen. */
export function RotateDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const words = useWords()
  const programId = useProgramId()
  const rotate = useSave(rotateApiKey, { refresh: [listApiKeys] })
  const [hours, setHours] = useState('24')
  const [made, setMade] = useState<{ Name: string; Key: string }>()
  const { problem, isRunning, attempt } = useAttempt()
  if (made) return <KeyShown made={made} onClose={onClose} />
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('keys.rotateTitle', { name: apiKey.Name })}
      subtitle={words('keys.rotatePurpose')}
      actions={
        <>
          <LeaveButton onClick={onClose} />
          <Button
            loading={isRunning}
            onClick={() =>
              void attempt(async () =>
                setMade(
                  await rotate.run({
                    params: { programId, keyId: apiKey.Id },
                    body: { OverlapHours: Number(hours) },
                  }),
                ),
              )
            }
          >
            {words('keys.rotate')}
          </Button>
        </>
      }
    >
      {problem && <PageMessage kind="error" text={problem} />}
      {apiKey.State !== 'ended' && (
        <SelectField
          name="overlap"
          label={words('keys.overlap')}
          required
          options={[
            { value: '0', label: words('keys.overlapNone') },
            { value: '1', label: words('keys.overlapHour') },
            { value: '24', label: words('keys.overlapDay') },
            { value: '168', label: words('keys.overlapWeek') },
          ]}
          value={hours}
          onChange={(next) => setHours(next ?? '24')}
        />
      )}
    </Dialog>
  )
}
