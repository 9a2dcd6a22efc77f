import { lazy, Suspense } from 'react'
import { useQuestion } from './confirm.ts'

const ConfirmDialog = lazy(() => import('./ConfirmDialog.tsx').then((m) => ({ default: m.ConfirmDialog })))

/** Shows what `confirm()` asks. Its code is loaded with the first question. */
export function Questions() {
  const question = useQuestion()
  return (
    question && (
      <Suspense>
        <ConfirmDialog question={question} />
      </Suspense>
    )
  )
}
