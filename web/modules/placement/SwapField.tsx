import { useState } from 'react'
import { type Draft, type DraftShift, getDraft } from '#contract/placement/drafts.ts'
import { useRead } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { Button } from '#web/ui/buttons.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { useWords } from '#web/words/use-words.ts'
import type { Place } from './DraftGrid.tsx'
import classes from './draft.module.css'
import { useMoves } from './use-moves.ts'

export type SwapFieldProps = { draft: Draft; place: Place; shifts: ReadonlyMap<number, DraftShift> }

/** Swaps a student's place in a block with another's: what dragging does, for the keyboard and phones. */
export function SwapField({ draft, place, shifts }: SwapFieldProps) {
  const words = useWords()
  const programId = useProgramId()
  const [chosen, setChosen] = useState<string | null>(null)
  const { move, isMoving } = useMoves(draft)
  const { data } = useRead(getDraft, {
    params: { programId, planId: draft.PlanId, draftId: draft.Id },
  })
  if (!data) return null
  const cellOf = (row: (typeof data.Rows)[number]) => row.Cells.find(({ Block }) => Block === place.Block)
  const own = data.Rows.find(({ StudentId }) => StudentId === place.StudentId)
  const ownShift = own && cellOf(own)?.SiteShiftId
  const options = data.Rows.flatMap((row) => {
    const cell = cellOf(row)
    if (row.StudentId === place.StudentId || cell?.IsAccepted || cell?.SiteShiftId === ownShift) return []
    const site = shifts.get(cell?.SiteShiftId ?? 0)?.SiteCode ?? words('placement.noPlace')
    return [{ value: String(row.StudentId), label: `${row.Student} · ${site}` }]
  })
  const swap = async () => {
    if (await move(data.Rows, { ...place, withStudentId: Number(chosen) })) setChosen(null)
  }
  return (
    <div className={classes.swap}>
      <SelectField
        name="swap"
        label={words('placement.swapWith')}
        options={options}
        value={chosen}
        onChange={setChosen}
        clearable
      />
      <Button variant="default" disabled={chosen === null} loading={isMoving} onClick={() => void swap()}>
        {words('placement.swap')}
      </Button>
    </div>
  )
}
