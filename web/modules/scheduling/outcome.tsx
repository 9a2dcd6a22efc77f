import { useState } from 'react'
import type { PlacementAnswer, PlacementFinding } from '#contract/scheduling/assignments.ts'
import { useFix } from '#web/shared/FixRule.tsx'
import { later } from '#web/ui/later.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'

/** It comes when there is something to tell: most pages of the schedule never need it. */
const Warned = later(() => import('./Warned.tsx').then((m) => m.Warned))
const RefusedDialog = later(() => import('./RefusedDialog.tsx').then((m) => m.RefusedDialog))

const placedKeys = {
  added: 'scheduling.added',
  changed: 'scheduling.changed',
  back: 'scheduling.back',
} as const

/** What an answer of placing says: a toast with Undo for what was done, a dialog for what was refused and why. */
export const useOutcome = () => {
  const words = useWords()
  const fixOf = useFix()
  const [refused, setRefused] = useState<readonly PlacementFinding[]>([])
  const tell = (
    { Added, Refused, Warnings }: PlacementAnswer,
    what: keyof typeof placedKeys,
    undo?: () => void,
    title = words(placedKeys[what], { count: Added }),
    told?: string,
  ) => {
    if (Added > 0) {
      const [first] = Warnings
      toast.done({
        title,
        ...(told && { detail: told }),
        ...(first && {
          detail: (
            <>
              {told}
              <Warned
                title={words('scheduling.warned', { count: Warnings.length })}
                message={first.Message}
                fix={fixOf(first.Rule, first.StudentId)}
              />
            </>
          ),
          duration: 15_000,
        }),
        ...(undo && { undo }),
      })
    }
    if (Refused.length === 1 && Refused[0])
      toast.error({
        title: words('scheduling.refused', { count: 1 }),
        detail: [Refused[0], ...(Refused[0].Also ?? []).filter(({ IsWarning }) => !IsWarning)]
          .map(({ Message }) => Message)
          .join(' '),
      })
    else if (Refused.length > 1) setRefused(Refused)
  }
  const fail = (error: unknown) =>
    toast.error({ title: words('scheduling.notDone'), detail: (error as Error).message })
  const dialog = refused.length > 0 && <RefusedDialog refused={refused} onClose={() => setRefused([])} />
  return { tell, fail, dialog }
}
