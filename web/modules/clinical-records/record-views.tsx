import { useAddress } from '#web/api/use-address.ts'
import { SegmentedCounts } from '#web/ui/SegmentedCounts.tsx'
import { useWords } from '#web/words/use-words.ts'

/** How many rows a page of either list has. */
export const pageSize = 50
export const start = { view: 'clearance', search: '', cohort: '', state: '', sort: '', page: 1 }
/** What is listed is no filter of the list. */
export const apart = ['view'] as const

/** Which of the two lists is shown. */
export function Views({ value }: { value: 'clearance' | 'issued' }) {
  const words = useWords()
  const [, setAddress] = useAddress(start)
  return (
    <SegmentedCounts
      label={words('clinicalRecords.parts')}
      value={value}
      onChange={(view) => setAddress({ ...start, view })}
      segments={[
        { value: 'clearance', label: words('clinicalRecords.clearance') },
        { value: 'issued', label: words('clinicalRecords.issued') },
      ]}
    />
  )
}
