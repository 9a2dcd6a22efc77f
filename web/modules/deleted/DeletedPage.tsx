import { IconArrowBackUp } from '@tabler/icons-react'
import { useMemo } from 'react'
import {
  type DeletedKind,
  type DeletedRow,
  deletedKinds,
  exportDeleted,
  listDeleted,
} from '#contract/deleted/deleted.ts'
import { restores } from '#contract/deleted/restores.ts'
import { call, callAddress } from '#web/api/call.ts'
import { queryClient, useRead } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useProgramId, useTimeZone } from '#web/api/use-state.ts'
import { usePeopleSearch } from '#web/shared/use-people-search.ts'
import { ExportMenu } from '#web/shell/ExportMenu.tsx'
import { attempt } from '#web/ui/attempt.ts'
import { formatDate, formatInstant } from '#web/ui/dates.ts'
import { DateRangeChip } from '#web/ui/filters/DateRangeChip.tsx'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { TickGrid, useTicks } from '#web/ui/grid/TickGrid.tsx'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useFilled, useWords } from '#web/words/use-words.ts'

const pageSize = 50
const defaults = {
  search: '',
  kind: '',
  person: 0,
  from: '',
  through: '',
  sort: '-DeletedAt',
  page: 1,
}

/** Why what the answer holds was not brought back, where the call says so in it. */
const refusalOf = (answer: unknown): string | undefined =>
  (answer as { Added?: number; Refused?: { Message: string }[] } | undefined)?.Added === 0
    ? (answer as { Refused: { Message: string }[] }).Refused[0]?.Message
    : undefined

/** Deleted: what was deleted in the program, by whom and when, and Restore. */
export function DeletedPage() {
  const words = useWords()
  const filled = useFilled()
  const zone = useTimeZone()
  const programId = useProgramId()
  const people = usePeopleSearch()
  const ticks = useTicks()
  const { at, filter, reset, isFiltered, sort, paging, sorting, pager } = useListAddress(
    listDeleted,
    defaults,
    pageSize,
  )
  const filters = {
    search: at.search,
    // What the chip offers; the server refuses what it does not know.
    ...(at.kind && { Kind: at.kind as DeletedKind }),
    ...(at.person > 0 && { PersonId: at.person }),
    ...(at.from && { FromDate: at.from }),
    ...(at.through && { ThroughDate: at.through }),
    sort,
  }
  const params = { programId }
  const rows = useRead(listDeleted, { params, query: { ...filters, ...paging } })
  const items = rows.data?.Items
  const total = rows.data?.Total ?? 0
  const count =
    rows.data && words(rows.data.IsTotalCapped ? 'deleted.many' : 'deleted.count', { count: total })
  const keyOf = ({ Kind, Id }: DeletedRow) => `${Kind} ${Id}`

  const bringBack = async (row: DeletedRow) => {
    const how = restores[row.Kind]
    if ('read' in how) return
    const input = how.input({ programId, id: row.Id, parentId: row.ParentId })
    // The call and its input belong to one kind.
    const refusal = refusalOf(await call(how.call, input as never))
    if (refusal) throw new Error(refusal)
  }
  /** One after the other: what is beneath another row comes back after it. */
  const restoreAll = async (chosen: readonly DeletedRow[]) => {
    const kept = new Set<string>()
    for (const row of chosen)
      if (!(await attempt(() => bringBack(row), words('deleted.notRestored', { name: row.Name }))))
        kept.add(keyOf(row))
    const restored = chosen.filter((row) => !kept.has(keyOf(row)))
    ticks.set(kept)
    if (restored[0]) toast.done(words('deleted.restored', { count: restored.length, name: restored[0].Name }))
    // Any list may have them now.
    void queryClient.invalidateQueries()
  }
  const reasonOf = (row: DeletedRow): string | false => {
    if (row.Kind === 'procedure-entry') return words('deleted.onlyStudent')
    if (row.Kind === 'webhook') return words('deleted.secretGone')
    return row.Beneath !== null && words('deleted.bringBack', { name: row.Beneath })
  }

  const columns = useMemo(
    (): GridColumn<DeletedRow>[] => [
      {
        id: 'Name',
        header: words('deleted.name'),
        identity: true,
        grow: 2,
        minWidth: 200,
      },
      {
        id: 'Kind',
        header: words('deleted.kind'),
        width: 190,
        cell: ({ Kind }) => filled(deletedKinds[Kind]),
        text: ({ Kind }) => filled(deletedKinds[Kind]),
      },
      { id: 'Detail', header: words('deleted.detail'), grow: 2, minWidth: 160 },
      {
        id: 'Day',
        header: words('deleted.day'),
        width: 110,
        cell: ({ Day }) => formatDate(Day) || '–',
        text: ({ Day }) => formatDate(Day),
      },
      {
        id: 'DeletedAt',
        header: words('deleted.at'),
        width: 170,
        sortable: true,
        cell: (row) => formatInstant(row.DeletedAt, zone),
        text: (row) => formatInstant(row.DeletedAt, zone),
      },
      {
        id: 'DeletedBy',
        header: words('deleted.by'),
        width: 170,
        cell: (row) => row.DeletedBy || words('deleted.product'),
        text: (row) => row.DeletedBy || words('deleted.product'),
      },
    ],
    [words, filled, zone],
  )
  const offered = (rows.data?.Kinds ?? [])
    .map((value) => ({ value, label: filled(deletedKinds[value]) }))
    .toSorted((one, other) => one.label.localeCompare(other.label, 'en-US'))
  return (
    <Page
      title={words('deleted.title')}
      count={count}
      actions={
        <ExportMenu
          address={(Format) => callAddress(exportDeleted, { params, query: { ...filters, Format } })}
        />
      }
      filters={
        <FilterBar {...(isFiltered && { onReset: reset })}>
          <SearchBox
            label={words('deleted.search')}
            value={at.search}
            maxLength={100}
            onChange={(search) => filter({ search })}
          />
          <SelectChip
            name={words('deleted.kind')}
            options={offered}
            value={at.kind || null}
            onChange={(kind) => filter({ kind: kind ?? '' })}
          />
          <SelectChip
            name={words('deleted.by')}
            none={words('deleted.anybody')}
            search={people.search}
            chosenLabels={{
              [at.person]:
                people.nameOf(at.person) ??
                items?.find((row) => row.DeletedById === at.person)?.DeletedBy ??
                `#${at.person}`,
            }}
            value={at.person > 0 ? String(at.person) : null}
            onChange={(value) => filter({ person: Number(value ?? 0) })}
          />
          <DateRangeChip
            name={words('deleted.days')}
            value={{ from: at.from || null, to: at.through || null }}
            onChange={({ from, to }) => filter({ from: from ?? '', through: to ?? '' })}
          />
        </FilterBar>
      }
      footer={count}
      footerEnd={<Pager {...pager} total={total} />}
    >
      <TickGrid
        id="deleted"
        ticks={ticks}
        untickable={reasonOf}
        bulk={(selected) => ({
          verbs: [
            {
              label: words('deleted.restore'),
              icon: <IconArrowBackUp size={16} stroke={1.75} />,
              main: true,
              onRun: () => void restoreAll(selected),
            },
          ],
        })}
        label={words('deleted.title')}
        columns={columns}
        {...fromList(rows)}
        rowKey={keyOf}
        error={rows.error && words('deleted.loadFailed', { reason: rows.error.message })}
        onRetry={() => void rows.refetch()}
        {...sorting}
        actions={(row) => [
          {
            label: words('deleted.restore'),
            icon: <IconArrowBackUp size={16} stroke={1.75} />,
            quick: true,
            reason: reasonOf(row),
            onRun: () => void restoreAll([row]),
          },
        ]}
        empty={{ text: words('deleted.empty'), filters: { isFiltered, reset } }}
      />
    </Page>
  )
}
