import '../all-styles.ts'
import {
  type ColumnDef,
  columnVisibilityFeature,
  createSortedRowModel,
  type RowData,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useMemo, useState } from 'react'
import { alphabetical } from '#contract/core/alphabet.ts'
import { EmptyList } from '../EmptyList.tsx'
import { PageMessage } from '../PageMessage.tsx'
import { useIsPhone } from '../use-is-phone.ts'
import { BulkBar } from './BulkBar.tsx'
import { useColumnChoice } from './column-choice.ts'
import classes from './Grid.module.css'
import { GridCards } from './GridCards.tsx'
import { GridTable } from './GridTable.tsx'
import type { GridColumn, GridProps, RowKey } from './grid-types.ts'
import { EndsContext } from './RowEnd.tsx'

const features = tableFeatures({
  columnVisibilityFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
})

function compare(a: unknown, b: unknown): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : alphabetical(String(a), String(b))
}

function tableColumns<Row extends RowData>(
  columns: readonly GridColumn<Row>[],
): ColumnDef<typeof features, Row>[] {
  return columns.map((column) => ({
    id: column.id,
    header: column.header,
    accessorFn: (row: Row) => {
      const value = column.sortBy ? column.sortBy(row) : (row as Record<string, unknown>)[column.id]
      return value === null || value === '' ? undefined : value
    },
    enableSorting: column.sortable ?? false,
    sortFn: (a, b, id) => compare(a.getValue(id), b.getValue(id)),
    sortUndefined: 'last' as const,
  }))
}

/**
 * The one grid of the product. Order, selection and filters are the caller's (they live in the address); the grid
 * keeps the column choice. Thousands of rows scroll smoothly because only the visible ones exist. Keys: arrows move the
 * row, Space ticks, Shift and click ticks a range, Enter opens, Tab goes to the row's own controls.
 */
export function Grid<Row extends RowData>(props: GridProps<Row>) {
  const { columns, rows, rowKey, selection, bulk, actions, end } = props
  const isPhone = useIsPhone()
  const choice = useColumnChoice(props.id, columns)
  const [ownSort, setOwnSort] = useState(props.sort)
  const sort = props.onSort ? props.sort : ownSort
  const definitions = useMemo(() => tableColumns(columns), [columns])
  const data = useMemo(() => (rows ?? []) as Row[], [rows])
  const table = useTable({
    features,
    columns: definitions,
    data,
    getRowId: (row) => String(rowKey(row)),
    manualSorting: !props.sortHere,
    state: {
      columnVisibility: choice.visibility,
      sorting: sort ? [{ id: sort.replace(/^-/, ''), desc: sort.startsWith('-') }] : [],
    },
  })
  const ordered = table.getRowModel().rows.map((row) => row.original)
  const shownIds = columns
    .filter((column) => choice.visibility[column.id] !== false)
    .map((column) => column.id)
  const shownKey = shownIds.join()
  const shown = useMemo(() => {
    const ids = new Set(shownKey.split(','))
    return columns.filter((column) => ids.has(column.id))
  }, [columns, shownKey])
  const chosen = useMemo(
    () =>
      selection && selection.selected.size > 0
        ? data.filter((row) => selection.selected.has(rowKey(row)))
        : [],
    [data, selection, rowKey],
  )

  const ends = useMemo(() => ({ actions, end }), [actions, end])

  if (props.error)
    return (
      <div className={classes.grid} data-framed={props.framed || undefined}>
        <PageMessage kind="error" text={props.error} onRetry={props.onRetry} />
      </div>
    )
  const isEmpty = rows !== undefined && rows.length === 0 && !props.edit?.added && !props.isLoading
  const bar = bulk && selection && selection.selected.size > 0 ? bulk(chosen, selection.selected) : undefined
  const parts = {
    grid: props,
    rows: ordered,
    columns: shown,
    choice,
    sort,
    onSort: (next: string) => (props.onSort ? props.onSort(next) : setOwnSort(next)),
  }
  return (
    <div
      className={classes.grid}
      data-framed={props.framed || undefined}
      data-auto={props.height === 'auto' || undefined}
      data-bulk={bar ? true : undefined}
    >
      {isEmpty && props.empty ? (
        <EmptyList {...props.empty} />
      ) : (
        <EndsContext value={ends}>
          {isPhone && !props.edit ? <GridCards {...parts} /> : <GridTable {...parts} />}
        </EndsContext>
      )}
      {bar && selection && (
        <BulkBar
          count={selection.selected.size}
          sum={bar.sum}
          verbs={bar.verbs}
          onClear={() => selection.onChange(new Set<RowKey>())}
        />
      )}
    </div>
  )
}
