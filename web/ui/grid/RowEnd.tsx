import { createContext, type ReactNode, useContext } from 'react'
import type { RowAction } from './grid-types.ts'
import { RowActions } from './RowActions.tsx'

/** Row actions and row ends. In a context and not in the rows' props, since most callers pass new functions on every render. */
export const EndsContext = createContext<{
  // Each grid calls them with its own rows.
  actions?: ((row: never) => RowAction[]) | undefined
  end?: ((row: never) => ReactNode) | undefined
}>({})

type Props = {
  row: unknown
  /** What the row is called. */
  name: string
  tabIndex: number
  /** Quick actions are icons before ⋯. */
  withQuick?: boolean
}

/** The end of a row or a card: what its grid has given for it, or its actions. */
export function RowEnd({ row, ...rest }: Props) {
  const { actions, end } = useContext(EndsContext)
  // It belongs to the grid that provides both.
  const own = row as never
  if (end) return end(own)
  return actions && <RowActions actions={() => actions(own)} {...rest} />
}
