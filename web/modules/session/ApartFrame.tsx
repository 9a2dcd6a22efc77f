import type { ReactNode } from 'react'
import { useAppState } from '#web/api/use-state.ts'
import { ViewBar } from './Notices.tsx'

/** Around pages outside the shells: only the bar of somebody who views as another person. */
export function ApartFrame({ children }: { children?: ReactNode }) {
  const { data: state } = useAppState()
  return (
    <>
      {state?.Viewer && <ViewBar viewer={state.Viewer.Name} name={state.User.Name} />}
      {children}
    </>
  )
}
