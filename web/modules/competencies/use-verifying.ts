import { type LogEntry, undoVerifications, verifyDays } from '#contract/competencies/log-verification.ts'
import { useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { attempt } from '#web/ui/attempt.ts'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { verificationReads } from './verification-reads.ts'

type Seen = Pick<LogEntry, 'Id' | 'Revision'>

/** Takes back what was verified. Each entry is given as it is now. */
export const useTakingBack = () => {
  const words = useWords()
  const params = { programId: useProgramId() }
  const undo = useSave(undoVerifications, { refresh: verificationReads })
  return {
    isRunning: undo.isRunning,
    takeBack: (name: string, entries: readonly Seen[]) =>
      attempt(async () => {
        const Entries = entries.map(({ Id, Revision }) => ({ Id, Revision }))
        const { Undone } = await undo.run({ params, body: { Entries } })
        toast.done(words('procedureLog.undidVerify', { count: Undone, name }))
      }, words('procedureLog.notUndone')),
  }
}

/** Says whose entries were verified, and offers to take that back. Each entry is given as it is once it is verified. */
export const useTellVerified = () => {
  const words = useWords()
  const { takeBack } = useTakingBack()
  return (name: string, entries: readonly Seen[]) =>
    toast.done({
      title: words('procedureLog.didVerify', { count: entries.length, name }),
      undo: () => void takeBack(name, entries),
    })
}

/** Verifies entries of a student's day. */
export const useVerifying = (onFailed: () => void) => {
  const params = { programId: useProgramId() }
  const save = useSave(verifyDays, { refresh: verificationReads })
  const tell = useTellVerified()
  return {
    isRunning: save.isRunning,
    verify: async (name: string, seen: readonly Seen[]) => {
      const Entries = seen.map(({ Id, Revision }) => ({ Id, Revision }))
      const isDone = await attempt(() => save.run({ params, body: { Entries } }))
      if (isDone)
        tell(
          name,
          Entries.map(({ Id, Revision }) => ({ Id, Revision: Revision + 1 })),
        )
      else onFailed()
    },
  }
}
