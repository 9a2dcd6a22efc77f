/** A cell of a picture of rows and columns, both from 0. */
export interface PlaneCell {
  row: number
  column: number
}

export interface PlaneSize {
  rows: number
  columns: number
  /** Rows that PageUp and PageDown move by. */
  page: number
}

/** Where a key leads from a cell: undefined for keys that do not move. Edges hold; Ctrl with Home and End leads to the corners. */
export const cellAfterKey = (
  { key, ctrlKey }: { key: string; ctrlKey: boolean },
  { row, column }: PlaneCell,
  { rows, columns, page }: PlaneSize,
): PlaneCell | undefined => {
  const to = (nextRow: number, nextColumn: number): PlaneCell => ({
    row: Math.max(0, Math.min(nextRow, rows - 1)),
    column: Math.max(0, Math.min(nextColumn, columns - 1)),
  })
  switch (key) {
    case 'ArrowUp':
      return to(row - 1, column)
    case 'ArrowDown':
      return to(row + 1, column)
    case 'ArrowLeft':
      return to(row, column - 1)
    case 'ArrowRight':
      return to(row, column + 1)
    case 'PageUp':
      return to(row - page, column)
    case 'PageDown':
      return to(row + page, column)
    case 'Home':
      return to(ctrlKey ? 0 : row, 0)
    case 'End':
      return to(ctrlKey ? rows - 1 : row, columns - 1)
    default:
      return undefined
  }
}

/** Scrolls up or down until a row is below the sticky head and within the view. */
export const keepRowInView = (
  element: HTMLElement,
  row: number,
  { height, head }: { height: number; head: number },
): void => {
  const top = row * height
  const room = element.clientHeight - head
  if (top < element.scrollTop) element.scrollTop = top
  else if (top + height > element.scrollTop + room) element.scrollTop = top + height - room
}

/** Scrolls sideways until a column is right of the sticky first one and within the view. */
export const keepColumnInView = (
  element: HTMLElement,
  column: number,
  { width, sticky }: { width: number; sticky: number },
): void => {
  const left = column * width
  if (left < element.scrollLeft) element.scrollLeft = left
  else if (left + width > element.scrollLeft + element.clientWidth - sticky)
    element.scrollLeft = left + width - element.clientWidth + sticky
}

/** The cell under the pointer, which is over the body of the picture. */
export const cellUnder = (
  element: HTMLElement,
  { clientX, clientY }: { clientX: number; clientY: number },
  { width, sticky, head, height }: { width: number; sticky: number; head: number; height: number },
  { rows, columns }: Pick<PlaneSize, 'rows' | 'columns'>,
): PlaneCell => {
  const box = element.getBoundingClientRect()
  const column = Math.floor((clientX - box.left - sticky + element.scrollLeft) / width)
  const row = Math.floor((clientY - box.top - head + element.scrollTop) / height)
  return {
    row: Math.min(Math.max(0, row), rows - 1),
    column: Math.min(Math.max(0, column), columns - 1),
  }
}
