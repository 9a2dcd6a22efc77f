import {
  type Draft,
  type DraftRow,
  explainCell,
  getDraft,
  listDrafts,
  lockCells,
  setCells,
} from '#contract/placement/drafts.ts'
import { useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { attempt, offerUndo } from '#web/ui/attempt.ts'
import { useWords } from '#web/words/use-words.ts'

/** The places of two students in a block change: one goes where the other is, who takes hers or her gap. */
export interface Move {
  Block: number
  StudentId: number
  withStudentId: number
}

/** Changes two places of a draft by hand, with Undo; the first student's is locked then. */
export const useMoves = (draft: Draft) => {
  const words = useWords()
  const programId = useProgramId()
  const params = { programId, planId: draft.PlanId, draftId: draft.Id }
  const set = useSave(setCells, { refresh: [getDraft, listDrafts, explainCell] })
  const lock = useSave(lockCells, { refresh: [getDraft, listDrafts] })
  const move = (rows: readonly DraftRow[], { Block, StudentId, withStudentId }: Move) => {
    const rowOf = (id: number) => rows.find((row) => row.StudentId === id)
    const cellOf = (id: number) => rowOf(id)?.Cells.find((cell) => cell.Block === Block)
    const [own, other] = [cellOf(StudentId), cellOf(withStudentId)]
    const shiftOf = (cell: typeof own) => cell?.SiteShiftId ?? null
    const put = (first: number | null, second: number | null) =>
      set.run({
        params,
        body: {
          Block,
          Cells: [
            { StudentId, SiteShiftId: first },
            { StudentId: withStudentId, SiteShiftId: second },
          ],
        },
      })
    const relock = async () => {
      const places = [
        { id: StudentId, cell: own },
        { id: withStudentId, cell: other },
      ]
      for (const isLocked of [true, false]) {
        const Cells = places.flatMap(({ id, cell }) =>
          cell && cell.IsLocked === isLocked ? [{ StudentId: id, Block }] : [],
        )
        if (Cells.length > 0) await lock.run({ params, body: { Cells, IsLocked: isLocked } })
      }
    }
    return attempt(async () => {
      await put(shiftOf(other), shiftOf(own))
      offerUndo({
        restore: async () => {
          await put(shiftOf(own), shiftOf(other))
          await relock()
        },
        deleted: words('placement.swapped', {
          one: rowOf(StudentId)?.Student ?? '',
          other: rowOf(withStudentId)?.Student ?? '',
        }),
        restored: words('placement.swappedBack'),
        notRestored: words('placement.notMoved'),
      })
    }, words('placement.notMoved'))
  }
  return { move, isMoving: set.isRunning || lock.isRunning }
}
