/** Rows or columns from one to another, both of them in it. */
export interface Stretch {
  from: number
  through: number
}

/** A part of a picture of rows and columns. */
export interface PlanePart {
  rows: Stretch
  columns: Stretch
}

/** Sizes in px: of a row and a column, and of what stays at the top and at the left. */
export interface PlaneSizes {
  height: number
  width: number
  head: number
  sticky: number
}

type View = Pick<HTMLElement, 'scrollTop' | 'scrollLeft' | 'clientWidth' | 'clientHeight'>

/** The part in view moves by so many at once, so that not every pixel of the wheel draws anything. */
const rowStep = 3
const columnStep = 2
/** So many more are drawn on each side, once there is time. */
const rowsAhead = 6
const columnsAhead = 8

const inSteps = (first: number, last: number, step: number): Stretch => ({
  from: Math.floor(first / step) * step,
  through: (Math.floor(last / step) + 1) * step - 1,
})

/** The rows and columns that are in view, and up to a step more. */
export const partInView = (view: View, { height, width, head, sticky }: PlaneSizes): PlanePart => ({
  rows: inSteps(
    view.scrollTop / height,
    Math.max(view.scrollTop, view.scrollTop + view.clientHeight - head - 1) / height,
    rowStep,
  ),
  columns: inSteps(
    view.scrollLeft / width,
    Math.max(view.scrollLeft, view.scrollLeft + view.clientWidth - sticky - 1) / width,
    columnStep,
  ),
})

/** The part with what is drawn ahead around it. */
export const withAhead = ({ rows, columns }: PlanePart): PlanePart => ({
  rows: { from: rows.from - rowsAhead, through: rows.through + rowsAhead },
  columns: { from: columns.from - columnsAhead, through: columns.through + columnsAhead },
})

const areApart = (one: Stretch, other: Stretch): boolean =>
  one.from > other.through + 1 || other.from > one.through + 1

export const isIn = (at: number, { from, through }: Stretch): boolean => at >= from && at <= through

export const covers = (one: Stretch, other: Stretch): boolean =>
  one.from <= other.from && one.through >= other.through

export const isSamePart = (one: PlanePart, other: PlanePart): boolean =>
  one.rows.from === other.rows.from &&
  one.rows.through === other.rows.through &&
  one.columns.from === other.columns.from &&
  one.columns.through === other.columns.through

/** What is in view together with what is drawn around it; what was around another view is not drawn any longer. */
const together = (view: Stretch, around: Stretch): Stretch =>
  areApart(view, around)
    ? view
    : { from: Math.min(view.from, around.from), through: Math.max(view.through, around.through) }

/** Those of a stretch that a whole of `count` has, in order. */
export const eachOf = ({ from, through }: Stretch, count: number): number[] => {
  const begin = Math.max(0, from)
  return Array.from({ length: Math.max(0, Math.min(through, count - 1) - begin + 1) }, (_, at) => begin + at)
}

export const rowsDrawn = (view: PlanePart, around: PlanePart): Stretch => together(view.rows, around.rows)

/** Which columns of a row are drawn: those in view where the row is, and those around the view as far as that is drawn already. */
export const columnsDrawn = (row: number, view: PlanePart, around: PlanePart): Stretch =>
  !isIn(row, around.rows)
    ? view.columns
    : isIn(row, view.rows)
      ? together(view.columns, around.columns)
      : around.columns
