import { useState } from 'react'
import { listSchedulingOptions } from '#contract/scheduling/scheduling-options.ts'
import { useRead } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'

/** The rotation that a dialog works on: the one it was opened with, else the newest; null until that is known. */
export const useFirstRotation = (
  rotationId: number | null,
): [id: number | null, choose: (id: number | null) => void] => {
  const programId = useProgramId()
  const [chosenId, setChosenId] = useState(rotationId)
  const newest = useRead(
    listSchedulingOptions,
    { params: { programId }, query: { Kind: 'rotation', pageSize: 1 } },
    { isEnabled: chosenId === null },
  )
  return [chosenId ?? newest.data?.Items[0]?.Id ?? null, setChosenId]
}
