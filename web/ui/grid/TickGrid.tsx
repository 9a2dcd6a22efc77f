import type { RowData } from '@tanstack/react-table'
import { useState, useSyncExternalStore } from 'react'
import { Grid } from './Grid.tsx'
import type { GridProps, RowKey } from './grid-types.ts'

/** Which rows are ticked. The page holds it and is not drawn again when it changes; the grid follows it. */
export interface Ticks {
  now: () => ReadonlySet<RowKey>
  set: (ticked: ReadonlySet<RowKey>) => void
  clear: () => void
  watch: (tell: () => void) => () => void
}

const makeTicks = (): Ticks => {
  let ticked: ReadonlySet<RowKey> = new Set()
  const watchers = new Set<() => void>()
  const set = (next: ReadonlySet<RowKey>) => {
    ticked = next
    for (const tell of watchers) tell()
  }
  return {
    now: () => ticked,
    set,
    clear: () => {
      if (ticked.size > 0) set(new Set())
    },
    watch: (tell) => {
      watchers.add(tell)
      return () => watchers.delete(tell)
    },
  }
}

export const useTicks = (): Ticks => useState(makeTicks)[0]

/** A grid whose rows can be ticked where there is a `bulk`. */
export function TickGrid<Row extends RowData>({
  ticks,
  untickable,
  ...grid
}: Omit<GridProps<Row>, 'selection'> & {
  ticks: Ticks
  /** Why a row cannot be ticked. */
  untickable?: (row: Row) => string | false
}) {
  const selected = useSyncExternalStore(ticks.watch, ticks.now)
  const selection = { selected, onChange: ticks.set, ...(untickable && { reason: untickable }) }
  return <Grid {...grid} {...(grid.bulk && { selection })} />
}
