import { undoLeaving } from '#contract/people/leaving.ts'
import { queryClient, useSave } from '#web/api/use-call.ts'
import { attempt } from '#web/ui/attempt.ts'
import { formatDate } from '#web/ui/dates.ts'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'

/** Gives back what leaving has taken, or takes back a last day to come, and tells what did not come back. */
export function useComeBack(programId: number) {
  const words = useWords()
  const undo = useSave(undoLeaving)
  return (person: { Id: number; FirstName: string; LastName: string; LeavesOn: string | null }) =>
    attempt(async () => {
      const name = `${person.FirstName} ${person.LastName}`
      const { Shifts, Refused } = await undo.run({ params: { programId, userId: person.Id } })
      // Shifts, evaluations and figures of theirs are on many pages.
      void queryClient.invalidateQueries()
      const lost = Refused.map(({ Site, Date: date }) => `${Site} ${formatDate(date)}`).join(', ')
      toast.done({
        title: words(person.LeavesOn ? 'people.stays' : 'people.reactivated', { name }),
        detail: [
          Shifts > 0 && words('people.shiftsBack', { count: Shifts }),
          lost && words('people.shiftsLost', { shifts: lost }),
        ]
          .filter(Boolean)
          .join(' '),
        ...(lost && { duration: 15_000 }),
      })
    })
}
