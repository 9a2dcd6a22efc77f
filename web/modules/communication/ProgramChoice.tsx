import { useMemo, useState } from 'react'
import { finder } from '#contract/core/search.ts'
import { listPrograms, type ProgramItem, programLabel } from '#contract/programs/programs.ts'
import { useRead } from '#web/api/use-call.ts'
import { Button } from '#web/ui/buttons.ts'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './emails.module.css'

/** The programs that get an email, for super admins: by Id or name, filtered, ticked one by one or all. */
export function ProgramChoice({
  value,
  onChange,
}: {
  value: readonly number[]
  onChange: (ids: number[]) => void
}) {
  const words = useWords()
  const programs = useRead(listPrograms, {}, { staleMs: 300_000 })
  const [from, setFrom] = useState<number | null>(null)
  const [to, setTo] = useState<number | null>(null)
  const [name, setName] = useState('')
  const [sort, setSort] = useState('Name')
  const shown = useMemo(() => {
    const isFound = finder(name)
    return programs.data?.filter(
      (program) =>
        (from === null || program.Id >= from) &&
        (to === null || program.Id <= to) &&
        isFound(programLabel(program)),
    )
  }, [programs.data, from, to, name])
  const columns = useMemo(
    (): GridColumn<ProgramItem>[] => [
      { id: 'Id', header: words('emails.programId'), width: 84, sortable: true },
      {
        id: 'Name',
        header: words('emails.programName'),
        identity: true,
        sortable: true,
        sortBy: (program) => programLabel(program),
        cell: (program) => programLabel(program),
      },
    ],
    [words],
  )
  const selected = useMemo(() => new Set<string | number>(value), [value])
  const set = (ids: Iterable<string | number>) => onChange([...ids].map(Number))
  const ids = shown?.map(({ Id }) => Id) ?? []
  return (
    <>
      <div className={classes.filters}>
        <NumberField name="idFrom" label={words('emails.idFrom')} value={from} onChange={setFrom} />
        <NumberField name="idTo" label={words('emails.idTo')} value={to} onChange={setTo} />
        <TextField name="programName" label={words('emails.nameFilter')} value={name} onChange={setName} />
      </div>
      <div className={classes.checks}>
        <Button variant="default" size="xs" onClick={() => set(new Set([...selected, ...ids]))}>
          {words('emails.checkAll')}
        </Button>
        <Button
          variant="default"
          size="xs"
          onClick={() => set([...selected].filter((id) => !ids.includes(Number(id))))}
        >
          {words('emails.uncheckAll')}
        </Button>
        <span role="status">{words('emails.programCount', { count: value.length })}</span>
      </div>
      <div className={classes.programs}>
        <Grid
          id="email-programs"
          label={words('emails.programs')}
          columns={columns}
          rows={shown}
          rowKey={({ Id }) => Id}
          sort={sort}
          onSort={setSort}
          sortHere
          selection={{ selected, onChange: set }}
          isLoading={programs.isFetching}
          error={programs.error?.message}
          onRetry={() => void programs.refetch()}
          empty={{
            text: words('programs.noneYet'),
            filters: {
              isFiltered: from !== null || to !== null || name !== '',
              reset: () => {
                setFrom(null)
                setTo(null)
                setName('')
              },
            },
          }}
          noColumnChoice
          framed
        />
      </div>
    </>
  )
}
