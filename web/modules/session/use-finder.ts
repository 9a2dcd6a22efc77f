import { useHotkeys } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

/** Opens the finder, also by ⌘K. `asked` counts how often it was called; `go` opens a page. */
export const useFinder = () => {
  const navigate = useNavigate()
  const [asked, setAsked] = useState(0)
  const open = () => setAsked((count) => count + 1)
  useHotkeys([['mod+K', open]], [])
  return { asked, open, go: (path: string) => void navigate({ to: path as never }) }
}
