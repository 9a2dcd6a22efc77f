import { plainWords } from '#web/words/plain-words.ts'
import './base-styles.ts'
import '@fontsource-variable/figtree/wght.css'
import './ui.css'
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { theme } from '#web/theme.ts'
import { Toasts } from './toast.tsx'

const colorScheme = localStorageColorSchemeManager({ key: 'practicum-color-scheme' })

// Two documents on one screen: their landmarks are told apart by name.
const isFramed = window.parent !== window

/**
 * Everything the screens are built on: theme, color scheme (the system's until the reader chooses; kept on this
 * machine) and toasts. Wrap the router in it once.
 */
export function Providers({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      withCssVariables={false}
      defaultColorScheme="auto"
      colorSchemeManager={colorScheme}
    >
      {children}
      {/* Menus, lists and dialogs open in here: a landmark, so that nothing of the page is outside of one. */}
      <section
        id="overlays"
        aria-label={isFramed ? plainWords('ui.overlaysOfFrame') : plainWords('ui.overlays')}
      />
      <Toasts />
    </MantineProvider>
  )
}
