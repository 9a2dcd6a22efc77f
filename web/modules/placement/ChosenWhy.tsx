import { type Draft, getDraft } from '#contract/placement/drafts.ts'
import { useRead } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { useIsPhone } from '#web/ui/use-is-phone.ts'
import { useWords } from '#web/words/use-words.ts'
import type { Place } from './DraftGrid.tsx'
import { WhyPanel } from './WhyPanel.tsx'

export type ChosenWhyProps = { draft: Draft; place: Place; onClose: () => void }

/** The reasons of the chosen cell: a panel beside the grid, on phones a sheet over it. */
export function ChosenWhy({ draft, place, onClose }: ChosenWhyProps) {
  const words = useWords()
  const programId = useProgramId()
  const isPhone = useIsPhone()
  const params = { programId, planId: draft.PlanId, draftId: draft.Id }
  const { data } = useRead(getDraft, { params })
  const row = data?.Rows.find(({ StudentId }) => StudentId === place.StudentId)
  if (!data || !row) return null
  const shifts = new Map(data.Shifts.map((shift) => [shift.SiteShiftId, shift]))
  if (!isPhone) return <WhyPanel draft={draft} row={row} place={place} shifts={shifts} onClose={onClose} />
  return (
    <Dialog opened onClose={onClose} title={words('placement.why')} flush>
      <WhyPanel draft={draft} row={row} place={place} shifts={shifts} />
    </Dialog>
  )
}
