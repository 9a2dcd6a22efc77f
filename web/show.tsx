import { type ComponentType, StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { Providers } from './ui/Providers.tsx'

/** Draws the whole page. As a transition, so that a slow phone answers touches while the first picture is made. */
export const show = (Page: ComponentType): void => {
  // Every page of the build has it.
  const root = createRoot(document.getElementById('root')!)
  startTransition(() =>
    root.render(
      <StrictMode>
        <Providers>
          <Page />
        </Providers>
      </StrictMode>,
    ),
  )
}
