import { useState } from 'react'
import { maxCount } from '#contract/competencies/log-rules.ts'
import { type LogEntry, returnEntry, verifyEntry } from '#contract/competencies/log-verification.ts'
import { useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { formatDate } from '#web/ui/dates.ts'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { Problem } from '#web/ui/Problem.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { entryLine } from './log-words.ts'
import classes from './procedure-log.module.css'
import { useTellVerified } from './use-verifying.ts'
import { verificationReads } from './verification-reads.ts'
import { whyPrivate } from './why-private.ts'

/** One entry: verified with its count corrected and its repeats confirmed, or returned with a reason. */
export function DecideDialog({ entry, onClose }: { entry: LogEntry; onClose: () => void }) {
  const words = useWords()
  const programId = useProgramId()
  const verify = useSave(verifyEntry, { refresh: verificationReads })
  const giveBack = useSave(returnEntry, { refresh: verificationReads })
  const [count, setCount] = useState<number | null>(entry.Count)
  const [radiographer, setRadiographer] = useState(entry.Radiographer)
  const [reason, setReason] = useState('')
  const [isReturning, setReturning] = useState(false)
  const [problem, setProblem] = useState<string>()
  const params = { programId, logId: entry.Id }
  const { Revision } = entry
  const tellVerified = useTellVerified()
  const attempt = async (work: () => Promise<LogEntry>, tell: (decided: LogEntry) => void) => {
    try {
      tell(await work())
      onClose()
    } catch (error) {
      setProblem((error as Error).message)
    }
  }
  const confirmIt = () => {
    if (entry.Repeats > 0 && radiographer.trim() === '') {
      setProblem(words('procedureLog.nameNeeded'))
      return
    }
    void attempt(
      () =>
        verify.run({
          params,
          body: { Revision, Count: Math.min(maxCount, Math.max(1, count ?? 1)), Radiographer: radiographer },
        }),
      (verified) => tellVerified(entry.Student, [verified]),
    )
  }
  const isRunning = verify.isRunning || giveBack.isRunning
  return (
    <Dialog
      opened
      onClose={onClose}
      stayOnOutsideClick
      title={isReturning ? words('procedureLog.returnTitle', { name: entry.Student }) : entry.Procedure}
      subtitle={
        isReturning
          ? words('procedureLog.returnHint')
          : `${entry.Student} · ${formatDate(entry.Date)} · ${entryLine(words, entry)}`
      }
      actions={
        isReturning ? (
          <DialogActions
            verb={words('procedureLog.returnOne')}
            onCancel={() => setReturning(false)}
            onRun={() =>
              void attempt(
                () => giveBack.run({ params, body: { Revision, Reason: reason } }),
                () => toast.done(words('procedureLog.didReturn', { name: entry.Student })),
              )
            }
            isRunning={isRunning}
            isDisabled={reason.trim() === ''}
          />
        ) : (
          <>
            <Button variant="default" size="lg" onClick={() => setReturning(true)}>
              {words('procedureLog.returnOne')}
            </Button>
            <Button size="lg" loading={isRunning} onClick={confirmIt}>
              {words(entry.Repeats > 0 ? 'procedureLog.confirmRepeat' : 'procedureLog.verifyOne')}
            </Button>
          </>
        )
      }
    >
      <div className={classes.fields}>
        {isReturning ? (
          <TextAreaField
            label={words('procedureLog.reason')}
            name="Reason"
            required
            rows={3}
            maxLength={500}
            value={reason}
            onChange={setReason}
          />
        ) : (
          <>
            <NumberField
              label={words('procedureLog.count')}
              description={words('procedureLog.correctHint')}
              name="Count"
              min={1}
              max={maxCount}
              value={count}
              onChange={setCount}
            />
            {entry.Repeats > 0 && (
              <TextField
                label={words('procedureLog.radiographer')}
                name="Radiographer"
                required
                maxLength={100}
                value={radiographer}
                onChange={setRadiographer}
                {...(whyPrivate(radiographer) && { error: whyPrivate(radiographer) })}
              />
            )}
            {entry.Note !== '' && <p className={classes.quiet}>{entry.Note}</p>}
          </>
        )}
        <Problem text={problem} />
      </div>
    </Dialog>
  )
}
