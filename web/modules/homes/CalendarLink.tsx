import { IconCalendarShare } from '@tabler/icons-react'
import { useState } from 'react'
import { Button } from '#web/ui/buttons.ts'
import { later } from '#web/ui/later.tsx'
import { useWords } from '#web/words/use-words.ts'

const CalendarDialog = later(() => import('#web/shared/CalendarDialog.tsx').then((m) => m.CalendarDialog))

/** Who comes to the own sites, for one's own calendar. */
export function CalendarLink() {
  const words = useWords()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconCalendarShare size={17} stroke={1.75} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {words('scheduling.calendar')}
      </Button>
      {isOpen && <CalendarDialog of="sites" onClose={() => setOpen(false)} />}
    </>
  )
}
