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

export const isIn = (at: number, { from, through }: Stretch): boolean => at >= from && at <= through

export const covers = (one: Stretch, other: Stretch): boolean =>
  one.from <= other.from && one.through >= other.through

export const isSamePart = (one: PlanePart, other: PlanePart): boolean =>
  one.rows.from === other.rows.from &&
  one.rows.through === other.rows.through &&
  one.columns.from === other.columns.from &&
  one.columns.through === other.columns.through

/** What is in either of two stretches of a whole of `count`, in order. */
export const inEither = (one: Stretch, other: Stretch, count: number): number[] => {
  const [first, second] = one.from <= other.from ? [one, other] : [other, one]
  const listOf = (from: number, through: number): number[] => {
    const begin = Math.max(0, from)
    return Array.from(
      { length: Math.max(0, Math.min(through, count - 1) - begin + 1) },
      (_, at) => begin + at,
    )
  }
  return second.from <= first.through + 1
    ? listOf(first.from, Math.max(first.through, second.through))
    : [...listOf(first.from, first.through), ...listOf(second.from, second.through)]
}

const nothing: Stretch = { from: 0, through: -1 }

/**
 * Which columns of a row are drawn: those of the part around the view as far as that is drawn already, and besides those in view that it does
 * not have yet. `isSeen` tells whether the row itself is in view.
 */
export const columnsDrawn = (
  row: number,
  view: PlanePart,
  around: PlanePart,
): { isSeen: boolean; columns: Stretch; besides: Stretch } => {
  const isSeen = isIn(row, view.rows)
  const columns = isIn(row, around.rows) ? around.columns : view.columns
  return { isSeen, columns, besides: isSeen && !covers(columns, view.columns) ? view.columns : nothing }
}
