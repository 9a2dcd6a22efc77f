import { useQuestion } from './confirm.ts'
import { later } from './later.tsx'

const ConfirmDialog = later(() => import('./ConfirmDialog.tsx').then((m) => m.ConfirmDialog))

/** Shows what `confirm()` asks. Its code is loaded with the first question. */
export function Questions() {
  const question = useQuestion()
  return question && <ConfirmDialog question={question} />
}
