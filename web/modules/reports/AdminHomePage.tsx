import { lazy, Suspense } from 'react'
import { Level } from '#contract/core/levels.ts'
import type { State } from '#contract/session/session.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useAppState, useMay } from '#web/api/use-state.ts'
import { SegmentedCounts } from '#web/ui/SegmentedCounts.tsx'
import { useWords } from '#web/words/use-words.ts'

const ProgramHome = lazy(() => import('./ProgramHome.tsx').then((m) => ({ default: m.ProgramHome })))
const OutcomesHome = lazy(() => import('./OutcomesHome.tsx').then((m) => ({ default: m.OutcomesHome })))
const OverviewHome = lazy(() => import('./OverviewHome.tsx').then((m) => ({ default: m.OverviewHome })))

/**
 * The staff's home: what needs attention in the program, or for directors what came of it; for super admins without a program,
 * the installation.
 */
export function AdminHomePage() {
  const { data: state } = useAppState()
  if (!state) return null
  return (
    <Suspense>
      {state.ProgramId ? <HomeOfProgram programId={state.ProgramId} state={state} /> : <OverviewHome />}
    </Suspense>
  )
}

const views = ['today', 'outcomes'] as const
const viewKeys = { today: 'outcomes.today', outcomes: 'outcomes.outcomes' } as const
type View = (typeof views)[number]

/** Those who may see outcomes choose between both; a director begins with them. */
function HomeOfProgram({ programId, state }: { programId: number; state: State }) {
  const words = useWords()
  const mayChoose = useMay()('outcomes.read')
  const [{ view }, setAddress] = useAddress({ view: '' })
  if (!mayChoose) return <ProgramHome programId={programId} state={state} />
  const usual: View = state.User.AccessLevel === Level.Director ? 'outcomes' : 'today'
  const shown = views.find((each) => each === view) ?? usual
  const choice = (
    <SegmentedCounts
      label={words('outcomes.view')}
      value={shown}
      onChange={(next) => setAddress({ view: next === usual ? '' : next })}
      segments={views.map((value) => ({ value, label: words(viewKeys[value]) }))}
    />
  )
  return shown === 'outcomes' ? (
    <OutcomesHome programId={programId} choice={choice} />
  ) : (
    <ProgramHome programId={programId} state={state} choice={choice} />
  )
}
