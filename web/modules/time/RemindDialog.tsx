import { getReminderEmail, mailUnmatched } from '#contract/time/approvals.ts'
import { type MissedRecord, mailMissed } from '#contract/time/missed-shifts.ts'
import { listTimeRecords } from '#contract/time/time-records.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useReadAll } from '#web/api/use-read-all.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { attempt } from '#web/ui/attempt.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DialogActions } from '#web/ui/DialogActions.tsx'
import { useWords } from '#web/words/use-words.ts'
import { recordReads } from './record-reads.ts'
import { useMailed } from './use-mailed.ts'

const dayMs = 86_400_000

type Row = { StudentId: number; Student: string }

/** Whom emails about what is missing go to, before they go. */
function RemindDialog(props: {
  rows: readonly Row[] | undefined
  kind: 'unmatched' | 'missed'
  text: string
  isRunning: boolean
  onSend: () => Promise<void>
  onClose: () => void
}) {
  const { rows, kind, text, isRunning, onSend, onClose } = props
  const words = useWords()
  const email = useRead(getReminderEmail, { params: { programId: useProgramId() }, query: { Kind: kind } })
  const students = [...Map.groupBy(rows ?? [], ({ StudentId }) => StudentId).values()]
  const send = async () => {
    if (await attempt(onSend, words('time.failed'))) onClose()
  }
  if (!rows) return null
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('time.writeTitle', { count: students.length })}
      subtitle={students.length > 0 && text}
      summary={students.length > 0 && words('time.writeEach')}
      actions={
        students.length > 0 && (
          <DialogActions
            verb={words('time.send')}
            onCancel={onClose}
            onRun={() => void send()}
            isRunning={isRunning}
          />
        )
      }
    >
      {students.length === 0 ? (
        <p>{words('time.mailedNobody')}</p>
      ) : (
        <>
          {email.data && (
            <p>
              <b>{words('time.subject')}:</b> {email.data.Subject}
            </p>
          )}
          <ul>
            {students.map((own) => (
              <li key={own[0]!.StudentId}>
                {own[0]!.Student} · {own.length}
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  )
}

/** Emails about the unmatched records of a filter. */
export function RemindUnmatched({
  filter,
  onClose,
}: {
  filter: Record<string, unknown>
  onClose: () => void
}) {
  const words = useWords()
  const params = { programId: useProgramId() }
  const mail = useSave(mailUnmatched, { refresh: recordReads })
  const tell = useMailed()
  const read = useReadAll(
    listTimeRecords,
    { params, query: { ...filter, Status: 'pending' as const, Insight: 'u' as const } },
    { staleMs: 0 },
  )
  // Nobody is written to twice within a day.
  const rows = read.data?.filter(
    ({ MailedAt }) => MailedAt === null || Date.parse(MailedAt) < Date.now() - dayMs,
  )
  return (
    <RemindDialog
      rows={rows}
      kind="unmatched"
      text={words('time.remindUnmatched')}
      isRunning={mail.isRunning}
      onSend={async () => tell(await mail.run({ params, body: { Filter: filter } }))}
      onClose={onClose}
    />
  )
}

/** Emails about the chosen shifts without a record. */
export function RemindMissed(props: {
  rows: readonly MissedRecord[]
  onSent: () => void
  onClose: () => void
}) {
  const { rows, onSent, onClose } = props
  const words = useWords()
  const params = { programId: useProgramId() }
  const mail = useSave(mailMissed)
  const tell = useMailed()
  return (
    <RemindDialog
      rows={rows}
      kind="missed"
      text={words('time.remindMissed')}
      isRunning={mail.isRunning}
      onSend={async () => {
        tell(await mail.run({ params, body: { AssignmentIds: rows.map((each) => each.AssignmentId) } }))
        onSent()
      }}
      onClose={onClose}
    />
  )
}
