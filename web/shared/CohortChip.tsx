import { listCohorts } from '#contract/people/people.ts'
import { useRead } from '#web/api/use-call.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { useWords } from '#web/words/use-words.ts'

/** A filter by one of the program's cohorts, for those who may read who is in them. */
export function CohortChip(props: {
  /** Empty for all. */
  value: string
  onChange: (cohort: string) => void
}) {
  const words = useWords()
  const params = { programId: useProgramId() }
  const isEnabled = useMay()('people.read')
  const { data = [] } = useRead(listCohorts, { params }, { staleMs: 300_000, isEnabled })
  return isEnabled ? (
    <SelectChip
      name={words('ui.cohort')}
      options={data.map((cohort) => ({ value: cohort, label: cohort }))}
      value={props.value || null}
      onChange={(cohort) => props.onChange(cohort ?? '')}
    />
  ) : null
}
