import { useState } from 'react'
import type { OwnRecord } from '#contract/time/clock.ts'
import { isSlip, slipMinutes } from '#contract/time/slip.ts'
import { Stack, Text } from '#web/ui/base.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { toast } from '#web/ui/toast.tsx'
import { plainWords } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './clock.module.css'

/** So long after it the clock still offers to take back a pair that was a slip. */
const dayMs = 86_400_000

/** Says what became of a clock-in that was taken back. */
export const tellTakenBack = ({ Status }: OwnRecord): void =>
  void toast.done(plainWords(Status === 'pending' ? 'time.takeBackAsked' : 'time.takenBack'))

/** Takes back the clock-in that runs, or a pair that was over at once; after the first minutes it asks why. */
export function Mistake(props: {
  /** When the person clocked in; null where nothing runs. */
  since: string | null
  last: OwnRecord | null
  now: number
  onTakeBack: (reason?: string) => Promise<void>
}) {
  const { since, last, now, onTakeBack } = props
  const words = useWords()
  const [isAsking, setAsking] = useState(false)
  const [reason, setReason] = useState('')
  const wasSlip =
    last?.Status === 'pending' &&
    last.PartnerId !== null &&
    last.ClockMinutes < slipMinutes &&
    now - Date.parse(last.OccurredAt) < dayMs
  if (since === null && !wasSlip) return null
  const begun = since === null ? undefined : Date.parse(since)
  // The clock of the page ticks in steps, and may be behind a press of this moment.
  const isAtOnce = begun === undefined || isSlip(begun, Math.max(begun, now))
  const close = () => {
    setAsking(false)
    setReason('')
  }
  return (
    <>
      <button
        type="button"
        className={classes.ask}
        onClick={() => (isAtOnce ? void onTakeBack() : setAsking(true))}
      >
        {words('time.mistake')}
      </button>
      <Dialog
        opened={isAsking}
        onClose={close}
        title={words('time.mistake')}
        actions={
          <DialogActions
            verb={words('time.send')}
            onCancel={close}
            onRun={() => {
              close()
              void onTakeBack(reason.trim())
            }}
            isDisabled={reason.trim() === ''}
          />
        }
      >
        <Stack gap="md">
          <Text>{words('time.mistakeHint')}</Text>
          <TextAreaField
            name="Reason"
            label={words('time.mistakeWhy')}
            required
            maxLength={1000}
            value={reason}
            onChange={setReason}
          />
        </Stack>
      </Dialog>
    </>
  )
}
