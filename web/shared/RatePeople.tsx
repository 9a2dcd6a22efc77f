import type { RatePerson } from '#contract/graduates/effectiveness.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'

/** How a person counts in a rate, and why. */
const partText = (words: Words, { State, Reason, IsInRate }: RatePerson): string => {
  if (State === 'leftOut' || State === 'open') return words(`effectiveness.part_${Reason ?? State}`)
  const said = words(`effectiveness.part_${State}`)
  return IsInRate ? said : words('effectiveness.part_otherYear', { part: said })
}

const columnsOf = (words: Words): GridColumn<RatePerson>[] => [
  {
    id: 'Name',
    header: words('effectiveness.person'),
    identity: true,
    sortable: true,
    sortBy: ({ Name }) => Name,
  },
  {
    id: 'Cohort',
    header: words('effectiveness.cohort'),
    width: 110,
    sortable: true,
    sortBy: ({ Cohort }) => Cohort,
    cell: ({ Cohort }) => Cohort || '–',
    text: ({ Cohort }) => Cohort,
  },
  {
    id: 'Year',
    header: words('effectiveness.year'),
    width: 90,
    sortable: true,
    sortBy: ({ Year }) => Year ?? 0,
    cell: ({ Year }) => Year ?? '–',
    text: ({ Year }) => String(Year ?? ''),
  },
  {
    id: 'Part',
    header: words('effectiveness.part'),
    minWidth: 220,
    sortable: true,
    sortBy: (row) => partText(words, row),
    cell: (row) => partText(words, row),
    text: (row) => partText(words, row),
  },
]

type RatePeopleProps = {
  title: string
  /** What the rate counts. */
  about: string
  read: {
    data: readonly RatePerson[] | undefined
    error: Error | null
    isFetching: boolean
    refetch: () => unknown
  }
  onClose: () => void
}

/** The people behind a rate: who counts, who does not, and why. */
export function RatePeople({ title, about, read, onClose }: RatePeopleProps) {
  const words = useWords()
  const rows = read.data?.map((row, Id) => ({ ...row, Id }))
  return (
    <Dialog
      opened
      onClose={onClose}
      title={title}
      subtitle={about}
      width={760}
      actions={<Button onClick={onClose}>{words('ui.close')}</Button>}
    >
      <Grid
        id="rate-people"
        label={title}
        columns={columnsOf(words) as GridColumn<RatePerson & { Id: number }>[]}
        rows={rows}
        rowKey={({ Id }) => Id}
        sortHere
        isLoading={read.isFetching}
        error={read.error?.message}
        onRetry={() => void read.refetch()}
        empty={{ text: words('effectiveness.nobody') }}
        height="auto"
        framed
      />
    </Dialog>
  )
}
