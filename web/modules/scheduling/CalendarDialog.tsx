import { Button } from '@mantine/core'
import { useState } from 'react'
import { createCalendarFeed, createStaffCalendarFeed } from '#contract/scheduling/own-schedule.ts'
import { useSave } from '#web/api/use-call.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './CalendarDialog.module.css'

/** Makes the secret calendar address and shows it once: of the own shifts, or of those at which staff of a program see students. */
export function CalendarDialog({ programId, onClose }: { programId?: number; onClose: () => void }) {
  const words = useWords()
  const own = useSave(createCalendarFeed)
  const ofStaff = useSave(createStaffCalendarFeed)
  const [address, setAddress] = useState<string>()
  const make = async () => {
    try {
      const made = programId ? await ofStaff.run({ params: { programId } }) : await own.run()
      setAddress(made.Address)
    } catch (error) {
      toast.error({ title: words('scheduling.notDone'), detail: (error as Error).message })
    }
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('scheduling.calendar')}
      actions={
        address ? (
          <Button
            onClick={() =>
              void navigator.clipboard.writeText(address).then(() => {
                toast.done(words('scheduling.calendarCopied'))
              })
            }
          >
            {words('scheduling.calendarCopy')}
          </Button>
        ) : (
          <Button loading={own.isRunning || ofStaff.isRunning} onClick={() => void make()}>
            {words('scheduling.calendarMake')}
          </Button>
        )
      }
    >
      <p>{words(programId ? 'scheduling.calendarIntroStaff' : 'scheduling.calendarIntro')}</p>
      {address && (
        <output className={classes.address} aria-label={words('scheduling.calendar')}>
          {address}
        </output>
      )}
    </Dialog>
  )
}
