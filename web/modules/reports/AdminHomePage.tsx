import { lazy, Suspense } from 'react'
import { useAppState } from '#web/api/use-state.ts'

const ProgramHome = lazy(() => import('./ProgramHome.tsx').then((m) => ({ default: m.ProgramHome })))
const Overview = lazy(() => import('./Overview.tsx').then((m) => ({ default: m.Overview })))

/** The staff's home: what needs attention in the program; for super admins without one, the installation. */
export function AdminHomePage() {
  const { data: state } = useAppState()
  if (!state) return null
  return (
    <Suspense>
      {state.ProgramId ? <ProgramHome programId={state.ProgramId} state={state} /> : <Overview />}
    </Suspense>
  )
}
