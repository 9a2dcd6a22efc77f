import { useHotkeys } from '@mantine/hooks'
import { useState } from 'react'

/** Opens the finder, also by ⌘K. `asked` counts how often it was called. */
export const useFinder = () => {
  const [asked, setAsked] = useState(0)
  const open = () => setAsked((count) => count + 1)
  useHotkeys([['mod+K', open]], [])
  return { asked, open }
}
