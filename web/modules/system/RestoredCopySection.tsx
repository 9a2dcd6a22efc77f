import { useState } from 'react'
import { getGlobals } from '#contract/session/session.ts'
import { endRestoredCopy, getSystemStatus, type RestoredCopy } from '#contract/system/system.ts'
import { useSave } from '#web/api/use-call.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { formatInstant } from '#web/ui/dates.ts'
import { Checkbox } from '#web/ui/inputs.ts'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import { Problem } from '#web/ui/Problem.tsx'
import { Section } from '#web/ui/Section.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useAttempt } from '#web/ui/use-attempt.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './system-status.module.css'

/** What a restored copy holds back, and the way to say that it is the real installation now. */
export function RestoredCopySection({ copy }: { copy: RestoredCopy }) {
  const words = useWords()
  const zone = useTimeZone()
  const [isAsking, setAsking] = useState(false)
  const waiting = copy.Waiting.filter(({ Count }) => Count > 0)
  return (
    <Section
      title={words('systemStatus.copyTitle')}
      end={<Button onClick={() => setAsking(true)}>{words('systemStatus.copyEnd')}</Button>}
    >
      <p className={classes.note}>
        {words('systemStatus.copyText', {
          restored: formatInstant(copy.RestoreDate, zone),
          backup: formatInstant(copy.BackupDate, zone),
        })}
      </p>
      {waiting.length === 0 ? (
        <p className={classes.note}>{words('systemStatus.copyNothing')}</p>
      ) : (
        <ul className={classes.list}>
          {waiting.map(({ Kind, Count, BeforeBackupCount }) => (
            <li key={Kind} className={classes.kind}>
              <span>{words(`systemStatus.copyWaiting.${Kind}`, { count: Count })}</span>
              {BeforeBackupCount > 0 && (
                <span className={classes.version}>
                  {words('systemStatus.copyOld', { count: BeforeBackupCount })}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {isAsking && <EndDialog copy={copy} onClose={() => setAsking(false)} />}
    </Section>
  )
}

function EndDialog({ copy, onClose }: { copy: RestoredCopy; onClose: () => void }) {
  const words = useWords()
  const [sendsOld, setSendsOld] = useState(false)
  const end = useSave(endRestoredCopy, { refresh: [getSystemStatus, getGlobals] })
  const { attempt, isRunning, problem } = useAttempt()
  const hasOld = copy.Waiting.some(({ BeforeBackupCount }) => BeforeBackupCount > 0)
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('systemStatus.copyQuestion')}
      width={480}
      actions={
        <>
          <LeaveButton onClick={onClose} data-autofocus />
          <Button
            loading={isRunning}
            onClick={() =>
              void attempt(async () => {
                await end.run({ body: { SendsOld: sendsOld } })
                toast.done({ title: words('systemStatus.copyEnded') })
                onClose()
              })
            }
          >
            {words('systemStatus.copyEnd')}
          </Button>
        </>
      }
    >
      <p className={classes.note}>{words('systemStatus.copyDetail')}</p>
      <Problem text={problem} />
      {hasOld && (
        <Checkbox
          label={words('systemStatus.copySendOld')}
          checked={sendsOld}
          onChange={(event) => setSendsOld(event.currentTarget.checked)}
        />
      )}
    </Dialog>
  )
}
