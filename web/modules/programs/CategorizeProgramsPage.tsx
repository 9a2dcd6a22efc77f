import { useCallback, useMemo, useState } from 'react'
import { finder } from '#contract/core/search.ts'
import { categorizeProgram, listProgramTypes } from '#contract/programs/program-kinds.ts'
import { listPrograms, type ProgramItem, programLabel } from '#contract/programs/programs.ts'
import { logFailure } from '#web/api/call.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useLeaveGuard } from '#web/shell/use-leave-guard.ts'
import { Button } from '#web/ui/buttons.ts'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './programs.module.css'

/**
 * Categorize Programs: a type for every program. Choices wait until Save, which sends the changed rows;
 * what could not be saved stays chosen and is marked.
 */
export function CategorizeProgramsPage() {
  const words = useWords()
  const navigate = usePageNavigate()
  const [{ search }, setAddress] = useAddress({ search: '' })
  const programs = useRead(listPrograms)
  const types = useRead(listProgramTypes)
  const save = useSave(categorizeProgram, { refresh: [listPrograms] })
  const [chosen, setChosen] = useState<ReadonlyMap<number, number | null>>(new Map())
  const [failed, setFailed] = useState<ReadonlySet<number>>(new Set())
  const [isSaving, setSaving] = useState(false)
  useLeaveGuard(chosen.size)

  const rows = useMemo(() => {
    const isFound = finder(search)
    return programs.data?.filter((program) => isFound(programLabel(program)))
  }, [programs.data, search])

  const choose = useCallback(
    (program: ProgramItem, typeId: number | null) =>
      setChosen((before) => {
        const next = new Map(before)
        if (typeId === program.ProgramTypeId) next.delete(program.Id)
        else next.set(program.Id, typeId)
        return next
      }),
    [],
  )

  const saveAll = async () => {
    setSaving(true)
    const refused = new Set<number>()
    for (const [programId, typeId] of chosen) {
      try {
        await save.run({ params: { programId }, query: typeId === null ? {} : { id: typeId } })
      } catch (error) {
        logFailure('Categorizing a program', error)
        refused.add(programId)
      }
    }
    setChosen((before) => new Map([...before].filter(([id]) => refused.has(id))))
    setFailed(refused)
    setSaving(false)
    if (refused.size > 0) toast.error(words('programs.categorizeFailed'))
    else toast.done(words('programs.categorized'))
  }

  const columns = useMemo((): GridColumn<ProgramItem>[] => {
    const name = new Map(types.data?.map(({ Id, Name }) => [Id, Name]))
    return [
      { id: 'CollegeName', header: words('programs.collegeName'), sortable: true, identity: true },
      { id: 'Name', header: words('programs.programName'), sortable: true, identity: true },
      {
        id: 'ProgramTypeId',
        header: words('programs.type'),
        sortable: true,
        sortBy: (row) => name.get(row.ProgramTypeId ?? 0) ?? '',
        cell: (row) => (
          <select
            className={`${classes.choice} p-halo`}
            aria-label={words('programs.typeOf', { name: programLabel(row) })}
            data-changed={chosen.has(row.Id) || undefined}
            value={(chosen.has(row.Id) ? chosen.get(row.Id) : row.ProgramTypeId) ?? ''}
            onChange={(event) => choose(row, Number(event.currentTarget.value) || null)}
          >
            <option value="">{words('programs.notSet')}</option>
            {types.data?.map(({ Id, Name }) => (
              <option key={Id} value={Id}>
                {Name}
              </option>
            ))}
          </select>
        ),
      },
    ]
  }, [words, types.data, chosen, choose])

  const saveButton = (
    <DisabledReason reason={chosen.size === 0 && words('programs.nothingChosen')}>
      <Button loading={isSaving} onClick={() => void saveAll()}>
        {words('programs.save')}
      </Button>
    </DisabledReason>
  )
  return (
    <Page
      title={words('programs.categorize')}
      count={programs.data && words('programs.count', { count: programs.data.length })}
      actions={
        <>
          <Button variant="default" onClick={() => navigate('/admin/manage-program-types')}>
            {words('programs.addTypes')}
          </Button>
          {saveButton}
        </>
      }
      filters={
        <FilterBar>
          <SearchBox
            label={words('programs.search')}
            value={search}
            onChange={(text) => setAddress({ search: text })}
          />
        </FilterBar>
      }
      footer={words('programs.changedCount', { count: chosen.size })}
      footerEnd={saveButton}
    >
      <Grid
        id="categorize-programs"
        label={words('programs.categorize')}
        rows={rows}
        rowKey={(row) => row.Id}
        columns={columns}
        sortHere
        noColumnChoice
        isLoading={programs.isFetching}
        error={programs.error?.message ?? types.error?.message}
        onRetry={() => void Promise.all([programs.refetch(), types.refetch()])}
        empty={{
          text: words('programs.nothing'),
          filters: { isFiltered: search !== '', reset: () => setAddress({ search: '' }) },
        }}
        warning={(row) => failed.has(row.Id) && words('programs.lastChangeFailed')}
      />
    </Page>
  )
}
