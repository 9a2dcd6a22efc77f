import { useMemo, useState } from 'react'
import { finder } from '#contract/core/search.ts'
import { listStudentLevels } from '#contract/people/people.ts'
import {
  type LevelAssignment,
  listLevelAssignments,
  saveLevelAssignments,
} from '#contract/people/student-levels.ts'
import { logFailure } from '#web/api/call.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { StudentLink } from '#web/shared/StudentLink.tsx'
import { PageLink } from '#web/shell/PageLink.tsx'
import { Button } from '#web/ui/buttons.ts'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn, RowKey } from '#web/ui/grid/grid-types.ts'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'

const none = '0'

/** Set levels: a level is chosen, students are ticked, Apply gives it to them; undo puts it back. */
export function SetLevelsPage() {
  const words = useWords()
  const params = { programId: useProgramId() }
  const [{ search, level: given }, setAddress] = useAddress({ search: '', level: null as number | null })
  const level = given === null ? null : String(given)
  const [current, setCurrent] = useState<string | null>(null)
  const [ticked, setTicked] = useState<ReadonlySet<RowKey>>(new Set())
  const [failed, setFailed] = useState<ReadonlySet<RowKey>>(new Set())
  const levels = useRead(listStudentLevels, { params })
  const students = useRead(listLevelAssignments, { params })
  const save = useSave(saveLevelAssignments, { refresh: [listLevelAssignments] })
  const options = [
    ...(levels.data ?? []).map(({ Id, Name }) => ({ value: String(Id), label: Name })),
    { value: none, label: words('people.noLevel') },
  ]
  const rows = useMemo(() => {
    const isFound = finder(search)
    return students.data?.filter(
      ({ UserFullName, StudentLevelId }) =>
        isFound(UserFullName) && (current === null || String(StudentLevelId ?? none) === current),
    )
  }, [students.data, search, current])
  const columns = useMemo((): GridColumn<LevelAssignment>[] => {
    const name = new Map(levels.data?.map(({ Id, Name }) => [Id, Name]))
    const nameOf = (row: LevelAssignment) => name.get(row.StudentLevelId ?? 0) ?? ''
    return [
      {
        id: 'UserFullName',
        header: words('people.student'),
        identity: true,
        sortable: true,
        cell: (row) => <StudentLink id={row.UserId}>{row.UserFullName}</StudentLink>,
        text: (row) => row.UserFullName,
      },
      {
        id: 'StudentLevelId',
        header: words('people.studentLevel'),
        sortable: true,
        sortBy: nameOf,
        cell: (row) => nameOf(row) || '–',
      },
    ]
  }, [levels.data, words])

  const put = async (body: { UserId: number; StudentLevelId: number | null }[]): Promise<boolean> => {
    try {
      await save.run({ params, body })
      setFailed(new Set())
      return true
    } catch (error) {
      logFailure('Setting levels', error)
      setFailed(new Set(body.map(({ UserId }) => UserId)))
      return false
    }
  }
  const apply = async () => {
    const chosen = (students.data ?? []).filter(({ UserId }) => ticked.has(UserId))
    const StudentLevelId = level === none ? null : Number(level)
    if (!(await put(chosen.map(({ UserId }) => ({ UserId, StudentLevelId }))))) return
    setTicked(new Set())
    toast.done({
      title: words('people.levelApplied', {
        count: chosen.length,
        level: options.find(({ value }) => value === level)?.label ?? '',
      }),
      undo: () => void put(chosen.map(({ UserId, StudentLevelId }) => ({ UserId, StudentLevelId }))),
    })
  }
  const missing =
    level === null
      ? words('people.chooseLevel')
      : ticked.size === 0
        ? words('people.tickStudents')
        : undefined
  return (
    <Page
      title={words('people.setLevels')}
      count={students.data && words('people.studentCount', { count: students.data.length })}
      beside={<PageLink href="/new/admin/manage-levels">{words('people.levels')}</PageLink>}
      actions={
        <>
          <SelectChip
            name={words('people.levelToGive')}
            none={words('people.chooseOne')}
            fixed
            options={options}
            value={level}
            onChange={(value) => setAddress({ level: value === null ? null : Number(value) })}
          />
          <DisabledReason reason={missing}>
            <Button loading={save.isRunning} onClick={() => void apply()}>
              {words('people.apply')}
            </Button>
          </DisabledReason>
        </>
      }
      filters={
        <FilterBar>
          <SearchBox
            label={words('people.searchStudents')}
            value={search}
            onChange={(text) => setAddress({ search: text })}
          />
          <SelectChip
            name={words('people.hasLevel')}
            options={options}
            value={current}
            onChange={setCurrent}
          />
        </FilterBar>
      }
      footer={rows && words('people.studentCount', { count: rows.length })}
    >
      <Grid
        id="set-levels"
        label={words('people.setLevels')}
        rows={rows}
        rowKey={(row) => row.UserId}
        columns={columns}
        sortHere
        noColumnChoice
        selection={{ selected: ticked, onChange: setTicked }}
        isLoading={students.isFetching}
        error={students.error?.message}
        onRetry={() => void students.refetch()}
        empty={{
          text: words('people.noStudents'),
          filters: {
            isFiltered: search !== '' || current !== null,
            reset: () => {
              setAddress({ search: '' })
              setCurrent(null)
            },
          },
        }}
        warning={(row) => failed.has(row.UserId) && words('people.levelNotSet')}
      />
    </Page>
  )
}
