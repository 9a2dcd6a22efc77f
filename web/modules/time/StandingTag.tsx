import { isTakenBack } from '#contract/time/time-records.ts'
import { PlainTag, StatusTag } from '#web/ui/StatusTag.tsx'
import { useWords } from '#web/words/use-words.ts'
import { type Decided, standing } from './record-words.tsx'

/** How a record stands, with the mark of its status; what its student took back has none. */
export function StandingTag({ record, isOwn = false }: { record: Decided; isOwn?: boolean }) {
  const text = standing(useWords(), record, isOwn)
  return isTakenBack(record) ? (
    <PlainTag>{text}</PlainTag>
  ) : (
    <StatusTag status={record.Status}>{text}</StatusTag>
  )
}
