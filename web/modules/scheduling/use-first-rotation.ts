import { useState } from 'react'
import { listRotations } from '#contract/scheduling/rotations.ts'
import { listSchedulingOptions } from '#contract/scheduling/scheduling-options.ts'
import { useRead } from '#web/api/use-call.ts'
import { useProgramId, useTimeZone } from '#web/api/use-state.ts'
import { dateOfInstant } from '#web/ui/dates.ts'

/**
 * The rotation that a dialog works on: the one it was opened with, else the one that runs or begins next, else the newest; null until
 * that is known.
 */
export const useFirstRotation = (
  rotationId: number | null,
): [id: number | null, choose: (id: number | null) => void] => {
  const params = { programId: useProgramId() }
  const today = dateOfInstant(Date.now(), useTimeZone())
  const [chosenId, setChosenId] = useState(rotationId)
  const coming = useRead(
    listRotations,
    { params, query: { FromDate: today, sort: 'StartDate', pageSize: 1 } },
    { isEnabled: chosenId === null },
  )
  const newest = useRead(
    listSchedulingOptions,
    { params, query: { Kind: 'rotation', pageSize: 1 } },
    { isEnabled: chosenId === null && coming.data?.Items.length === 0 },
  )
  return [chosenId ?? coming.data?.Items[0]?.Id ?? newest.data?.Items[0]?.Id ?? null, setChosenId]
}
