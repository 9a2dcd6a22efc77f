import { toast } from '#web/ui/toast.tsx'
import { plainWords } from '#web/words/plain-words.ts'

/** Signs out. What is done then comes with the press: no page needs it before. */
export const logOut = async (): Promise<void> => {
  const leaving = await import('./sign-out.ts').catch(() => undefined)
  if (leaving) await leaving.signOut()
  else toast.error({ title: plainWords('ui.partFailed'), detail: plainWords('ui.partFailedNext') })
}
