import { formatDate } from '#web/ui/dates.ts'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { useWords } from '#web/words/use-words.ts'

/** That somebody is cleared, and whether by an exception. */
export function ClearedTag({ date, exception }: { date: string; exception: string }) {
  const words = useWords()
  return (
    <StatusTag status={exception ? 'careful' : 'approved'}>
      {words(exception ? 'clinicalRecords.clearedByException' : 'clinicalRecords.clearedOn', {
        date: formatDate(date),
      })}
    </StatusTag>
  )
}
