import type { ReactNode } from 'react'
import type { EmptyListProps } from '../EmptyList.tsx'

export type RowKey = string | number

/** A column of a grid. Give `cell` or nothing (then `row[id]` is shown as text). */
export type GridColumn<Row> = {
  /** The field's name on the wire: it is what `sort` carries and what the column choice remembers. */
  id: string
  header: string
  /** In place of `header` in the head, when it needs a legend; `header` stays its name. */
  head?: ReactNode
  cell?: (row: Row) => ReactNode
  /** Full text for the tooltip of a cut cell; only needed where `cell` gives more than a string. */
  text?: (row: Row) => string
  /** Second line, small and quiet. */
  detail?: (row: Row) => ReactNode
  /** Width in px; columns without one share the room that is left, in proportion to `grow` (1). */
  width?: number
  grow?: number
  /** Smallest width of a growing column in px; 140 when none is given. */
  minWidth?: number
  /** Figures are aligned to the right. */
  align?: 'start' | 'end'
  /** The head becomes a button. */
  sortable?: boolean
  /** For grids that sort what they hold (`sortHere`): what to compare; null and '' go last. */
  sortBy?: (row: Row) => string | number | null | undefined
  /** Identity column: heavier, never hidden, the card's title on phones. */
  identity?: boolean
  /** Not shown until the reader chooses it. */
  hidden?: boolean
  /** On phones: left out of the card. */
  offCard?: boolean
}

/** A verb of one row. */
export type RowAction = {
  label: string
  icon?: ReactNode
  onRun: () => void
  tone?: 'plain' | 'good' | 'danger'
  /** Shown as an icon when the row has the pointer or the focus; every action is in the ⋯ menu anyway. */
  quick?: boolean
  /** Why it cannot be done; the action stays visible and says so. */
  reason?: string | false
}

/** A verb of the bulk bar. */
export type BulkVerb = {
  label: string
  icon?: ReactNode
  onRun: () => void
  /** The one filled verb. */
  main?: boolean
  reason?: string | false
  /** Set off by a line, as "Approve All 6", which is about more than the ticked rows. */
  apart?: boolean
}

export type GridSelection<Row> = {
  selected: ReadonlySet<RowKey>
  onChange: (selected: Set<RowKey>) => void
  /** Why this row cannot be ticked. */
  reason?: (row: Row) => string | undefined | false
}

/** One row being edited: what is in its cells (by column id) and at its end. `InlineGrid` makes these. */
export type GridEdit<Row> = {
  key: RowKey
  /** The row being added; it is above the others whatever the order. */
  added?: Row
  cells: Record<string, ReactNode>
  end: ReactNode
  onKeyDown: (event: {
    key: string
    target: EventTarget
    preventDefault: () => void
    stopPropagation: () => void
  }) => void
}

export type GridProps<Row> = {
  /** Under this name the column choice is kept on the machine; unique in the product. */
  id: string
  /** What the rows are, for screen readers: "Time records". */
  label: string
  columns: readonly GridColumn<Row>[]
  /** Undefined while the first answer is awaited. */
  rows: readonly Row[] | undefined
  rowKey: (row: Row) => RowKey
  /** 'Field' up or '-Field' down, as the address has it. */
  sort?: string
  onSort?: (sort: string) => void
  /** The grid sorts the rows it holds by `sortBy` of the column; otherwise the server has sorted them. */
  sortHere?: boolean
  /** The rows come in an order of their own, a tree's for instance: a third press on a heading goes back to it (sort ''). */
  hasOwnOrder?: boolean
  selection?: GridSelection<Row>
  /** The dark bar over the footer while rows are ticked: sum in words ("17.1 h · 2 people") and verbs. */
  bulk?: (selected: Row[], keys: ReadonlySet<RowKey>) => { sum?: ReactNode; verbs: BulkVerb[] }
  actions?: (row: Row) => RowAction[]
  /** Width of the end column in px when it carries more than ⋯; worked out from the quick actions otherwise. */
  actionsWidth?: number
  /** Enter or a click on the row. */
  onOpen?: (row: Row) => void
  /** A row that is open beside the grid (list and map, list and panel). */
  openKey?: RowKey
  /** The row that the list begins with; those before it are a scroll away. */
  beginsAt?: RowKey | undefined
  /** A small warning sign at the row's start whose tooltip says what silently failed. */
  warning?: (row: Row) => string | undefined | false
  /** A color that means something, behind the row. */
  tone?: (row: Row) => 'chosen' | 'now' | 'quiet' | undefined
  /** Rows are being fetched again: old rows stay, a thin line moves at the top. */
  isLoading?: boolean
  /** Shown in place of the rows, with Try again. */
  error?: string | null | false
  onRetry?: () => void
  /** Shown when there are no rows. */
  empty?: EmptyListProps
  /** Called as the end comes near; leave out when all rows are there. */
  onMore?: () => void
  /** How many rows exist in all, for screen readers and the scroll bar's honesty. */
  total?: number
  /** Rows of 42 px have room for two lines; 'comfortable' is 52. */
  density?: 'normal' | 'comfortable'
  /** 'fill' takes the room that is left and scrolls inside; 'auto' is as high as its rows (for short lists). */
  height?: 'fill' | 'auto'
  /** With a frame, as a panel inside an inset page. */
  framed?: boolean
  /** Own content of a card in place of title and lines. */
  card?: (row: Row) => ReactNode
  /** Leaves out the button that chooses columns. */
  noColumnChoice?: boolean
  /** In place of the row actions. */
  end?: (row: Row) => ReactNode
  edit?: GridEdit<Row>
}
