import { useSyncExternalStore } from 'react'
import { currentAsking, listenToAsking } from '#web/api/assurance.ts'
import { later } from '#web/ui/later.tsx'

const ProofDialog = later(() => import('./ProofDialog.tsx').then((m) => m.ProofDialog))
const ReasonDialog = later(() => import('./ReasonDialog.tsx').then((m) => m.ReasonDialog))

/** Shows what a refused call asks for, and lets it be made again. Its code is loaded with the first question. */
export function Assurance() {
  const asking = useSyncExternalStore(listenToAsking, currentAsking)
  if (!asking) return null
  return asking.asked === 'proof_required' ? (
    <ProofDialog asking={asking} />
  ) : (
    <ReasonDialog asking={asking} />
  )
}
