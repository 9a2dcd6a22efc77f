import { later, useOpening } from '../later.tsx'
import { ColumnButton } from './ColumnButton.tsx'
import type { ColumnChoiceProps } from './ColumnMenu.tsx'

const ColumnMenu = later(() => import('./ColumnMenu.tsx').then((m) => m.ColumnMenu))

/** The choice of columns at the head's end; its menu comes when it is first opened. */
export function ColumnChoice<Row>({ columns, choice }: ColumnChoiceProps<Row>) {
  const { isOpened, open, near } = useOpening(ColumnMenu)
  return isOpened ? (
    <ColumnMenu columns={columns} choice={choice} />
  ) : (
    <ColumnButton {...near} aria-haspopup="menu" aria-expanded={false} onClick={open} />
  )
}
