import './base-styles.ts'
import '@fontsource-variable/figtree/wght.css'
import './ui.css'
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { lazy, type ReactNode, Suspense } from 'react'
import { theme } from '#web/theme.ts'
import { useQuestion } from './confirm.ts'
import { Toasts } from './toast.tsx'

const ConfirmDialog = lazy(() => import('./ConfirmDialog.tsx').then((m) => ({ default: m.ConfirmDialog })))
const colorScheme = localStorageColorSchemeManager({ key: 'practicum-color-scheme' })

// Two documents on one screen: their landmarks are told apart by name.
const isFramed = window.parent !== window

/**
 * Everything the screens stand on: theme, colour scheme (the system's until the reader chooses; kept on this
 * machine), toasts and the question dialog. Wrap the router in it once. The dialog's code is loaded with the first
 * question, which keeps it off the sign-in page.
 */
export function Providers({ children }: { children: ReactNode }) {
  const question = useQuestion()
  return (
    <MantineProvider
      theme={theme}
      withCssVariables={false}
      defaultColorScheme="auto"
      colorSchemeManager={colorScheme}
    >
      {children}
      {/* Menus, lists and dialogs open in here: a landmark, so that nothing of the page lies outside of one. */}
      <section id="overlays" aria-label={isFramed ? 'Menus and dialogs of the frame' : 'Menus and dialogs'} />
      <Toasts />
      {question && (
        <Suspense>
          <ConfirmDialog question={question} />
        </Suspense>
      )}
    </MantineProvider>
  )
}
