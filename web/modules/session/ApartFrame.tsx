import { Outlet } from '@tanstack/react-router'
import { useAppState } from '#web/api/use-state.ts'
import { ViewBar } from './Notices.tsx'

/** Around pages outside the shells: only the bar of somebody who views as another person. */
export function ApartFrame() {
  const { data: state } = useAppState()
  return (
    <>
      {state?.Viewer && <ViewBar viewer={state.Viewer.Name} name={state.User.Name} />}
      <Outlet />
    </>
  )
}
