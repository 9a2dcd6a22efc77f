import type { InputOf } from '#contract/core/endpoint.ts'
import {
  type Draft,
  type DraftRow,
  explainCell,
  getDraft,
  listDrafts,
  setCells,
} from '#contract/placement/drafts.ts'
import { useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { attempt, offerUndo } from '#web/ui/attempt.ts'
import { useWords } from '#web/words/use-words.ts'

/** The places of two students in a block change: one goes where the other is, who takes the other's place or gap. */
export interface Move {
  Block: number
  StudentId: number
  withStudentId: number
}

type SetCell = InputOf<typeof setCells>['body']['Cells'][number]

/** Changes two places of a draft by hand, with Undo; the first student's is locked then. */
export const useMoves = (draft: Draft) => {
  const words = useWords()
  const programId = useProgramId()
  const params = { programId, planId: draft.PlanId, draftId: draft.Id }
  const set = useSave(setCells, { refresh: [getDraft, listDrafts, explainCell] })
  const move = (rows: readonly DraftRow[], { Block, StudentId, withStudentId }: Move) => {
    const rowOf = (id: number) => rows.find((row) => row.StudentId === id)
    const cellOf = (id: number) => rowOf(id)?.Cells.find((cell) => cell.Block === Block)
    const [own, other] = [cellOf(StudentId), cellOf(withStudentId)]
    const shiftOf = (cell: typeof own) => cell?.SiteShiftId ?? null
    const put = (first: SetCell, second: SetCell) =>
      set.run({ params, body: { Block, Cells: [first, second] } })
    const asBefore = (id: number, cell: typeof own): SetCell => ({
      StudentId: id,
      SiteShiftId: shiftOf(cell),
      IsLocked: cell?.IsLocked ?? false,
    })
    return attempt(async () => {
      await put(
        { StudentId, SiteShiftId: shiftOf(other) },
        { StudentId: withStudentId, SiteShiftId: shiftOf(own) },
      )
      offerUndo({
        restore: () => put(asBefore(StudentId, own), asBefore(withStudentId, other)),
        deleted: words('placement.swapped', {
          one: rowOf(StudentId)?.Student ?? '',
          other: rowOf(withStudentId)?.Student ?? '',
        }),
        restored: words('placement.swappedBack'),
        notRestored: words('placement.notMoved'),
      })
    }, words('placement.notMoved'))
  }
  return { move, isMoving: set.isRunning }
}
