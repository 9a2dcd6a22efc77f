import { createContext, type ReactNode, useContext } from 'react'
import type { RowAction } from './grid-types.ts'
import { RowActions } from './RowActions.tsx'

/** What stands at the end of rows. Apart from the rows' own, since most callers make these functions anew whenever they draw. */
export const EndsContext = createContext<{
  // Each grid reads with its own rows what it has given.
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
  // The row of the grid that has given both.
  const own = row as never
  if (end) return end(own)
  return actions && <RowActions actions={() => actions(own)} {...rest} />
}
