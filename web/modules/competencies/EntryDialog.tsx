import { useState } from 'react'
import { lineOf } from '#contract/competencies/log-line.ts'
import {
  correctEntry,
  getProcedureLog,
  type LogEntry,
  reopenEntry,
} from '#contract/competencies/log-verification.ts'
import { getStudentStanding } from '#contract/competencies/procedure-logs.ts'
import { getPathologySetting, listPathologies } from '#contract/competencies/procedures.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { formatDate, formatInstant } from '#web/ui/dates.ts'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { Problem } from '#web/ui/Problem.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { DecideDialog } from './DecideDialog.tsx'
import { LineDialog } from './LineDialog.tsx'
import { entryLine, stateTags } from './log-words.ts'
import classes from './procedure-log.module.css'
import { verificationReads } from './verification-reads.ts'

const refresh = [...verificationReads, getProcedureLog]

/** One entry for staff: what it says, what it said before, and what can be done about it. */
export function EntryDialog({ logId, onClose }: { logId: number; onClose: () => void }) {
  const words = useWords()
  const programId = useProgramId()
  const may = useMay()
  const found = useRead(getProcedureLog, { params: { programId, logId } }, { keepsLast: false })
  const [step, setStep] = useState<'decide' | 'correct' | 'reopen'>()
  const entry = found.data
  if (!entry) return null
  if (step === 'decide') return <DecideDialog entry={entry} onClose={onClose} />
  if (step === 'correct') return <CorrectDialog entry={entry} onClose={onClose} />
  if (step === 'reopen') return <ReopenDialog entry={entry} onClose={onClose} />
  const { status, word } = stateTags[entry.State]
  return (
    <Dialog
      opened
      onClose={onClose}
      title={entry.Procedure}
      subtitle={`${entry.Student} · ${formatDate(entry.Date)}${entry.Site ? ` · ${entry.Site}` : ''}`}
      actions={
        <>
          {may('procedure-logs.correct') && (
            <Button variant="default" onClick={() => setStep('correct')}>
              {words('procedureLog.correctTitle')}
            </Button>
          )}
          {entry.State === 'verified' && may('procedure-logs.correct') && (
            <Button variant="default" onClick={() => setStep('reopen')}>
              {words('procedureLog.reopen')}
            </Button>
          )}
          {entry.State === 'submitted' && (
            <Button onClick={() => setStep('decide')}>{words('procedureLog.verifyOne')}</Button>
          )}
        </>
      }
    >
      <div className={classes.fields}>
        <p>
          <StatusTag status={status}>{words(word)}</StatusTag>
        </p>
        <p>
          {entry.Count} × {entryLine(words, entry)}
        </p>
        {entry.Note !== '' && <p className={classes.quiet}>{entry.Note}</p>}
        {entry.State === 'verified' && (
          <p className={classes.quiet}>{words('procedureLog.verifiedBy', { name: entry.DecidedBy ?? '' })}</p>
        )}
        {entry.State === 'returned' && (
          <p className={classes.quiet}>
            {words('procedureLog.returnedBy', { name: entry.DecidedBy ?? '', reason: entry.ReturnReason })}
          </p>
        )}
        {entry.History.length > 0 && (
          <section>
            <b>{words('procedureLog.history')}</b>
            {entry.History.map((change) => (
              <p key={change.At} className={classes.quiet}>
                {words('procedureLog.historyLine', {
                  procedure: change.Procedure,
                  count: change.Count,
                  level: change.Level ?? '',
                  state: words(stateTags[change.State].word),
                })}
                <br />
                {words('procedureLog.by', {
                  name: change.By,
                  when: formatInstant(change.At),
                  reason: change.Reason,
                })}
              </p>
            ))}
          </section>
        )}
      </div>
    </Dialog>
  )
}

function CorrectDialog({ entry, onClose }: { entry: LogEntry; onClose: () => void }) {
  const words = useWords()
  const programId = useProgramId()
  const standing = useRead(getStudentStanding, { params: { programId, studentId: entry.StudentId } })
  const setting = useRead(getPathologySetting, { params: { programId } })
  const listId = standing.data?.List?.Id ?? 0
  const pathologies = useRead(
    listPathologies,
    { params: { programId, listId }, query: {} },
    { isEnabled: listId > 0 },
  )
  const correct = useSave(correctEntry, { refresh })
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<string>()
  const procedure = standing.data?.Procedures.find(({ Id }) => Id === entry.ProcedureId)
  if (!standing.data || !setting.data || !pathologies.data || !procedure) return null
  return (
    <LineDialog
      title={entry.Procedure}
      isWhole
      standing={standing.data}
      procedure={procedure}
      context={{ Pathology: setting.data, Pathologies: pathologies.data }}
      line={lineOf(entry)}
      problem={problem}
      isSaving={correct.isRunning}
      doneLabel={words('procedureLog.correct')}
      onDone={async (line) => {
        try {
          await correct.run({
            params: { programId, logId: entry.Id },
            body: { ...line, Revision: entry.Revision, Reason: reason },
          })
          toast.done(words('procedureLog.correctedDone'))
          onClose()
        } catch (error) {
          setProblem((error as Error).message)
        }
      }}
      onClose={onClose}
    >
      <ReasonField value={reason} onChange={setReason} />
    </LineDialog>
  )
}

function ReopenDialog({ entry, onClose }: { entry: LogEntry; onClose: () => void }) {
  const words = useWords()
  const programId = useProgramId()
  const reopen = useSave(reopenEntry, { refresh })
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<string>()
  const run = async () => {
    try {
      await reopen.run({
        params: { programId, logId: entry.Id },
        body: { Revision: entry.Revision, Reason: reason },
      })
      toast.done(words('procedureLog.reopened'))
      onClose()
    } catch (error) {
      setProblem((error as Error).message)
    }
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('procedureLog.reopen')}
      subtitle={`${entry.Student} · ${entry.Procedure}`}
      actions={
        <DialogActions
          verb={words('procedureLog.reopen')}
          onCancel={onClose}
          onRun={() => void run()}
          isRunning={reopen.isRunning}
          isDisabled={reason.trim() === ''}
        />
      }
    >
      <div className={classes.fields}>
        <ReasonField value={reason} onChange={setReason} />
        <Problem text={problem} />
      </div>
    </Dialog>
  )
}

function ReasonField(props: { value: string; onChange: (value: string) => void }) {
  const words = useWords()
  return (
    <TextAreaField
      label={words('procedureLog.reason')}
      description={words('procedureLog.correctHint')}
      name="Reason"
      required
      rows={2}
      maxLength={500}
      {...props}
    />
  )
}
