import { type Procedure, updateProcedure } from '#contract/competencies/procedures.ts'
import type { InputOf } from '#contract/core/endpoint.ts'
import { useSave } from '#web/api/use-call.ts'
import { useOfferBack } from './use-design-change.tsx'
import { type Design, designed } from './use-lists.ts'

type Input = InputOf<typeof updateProcedure>['body']

/** What of a procedure is saved. A row that is edited in place has figures as they were typed. */
export const inputOf = ({
  Id: _id,
  ItemCount: _items,
  PathologyCount: _pathologies,
  ...input
}: Procedure): Input => ({
  ...input,
  LogsNeeded: Number(input.LogsNeeded),
})

/** Saves a procedure and offers Undo. */
export const useProcedureChange = (params: Design['params']) => {
  const offerBack = useOfferBack()
  const update = useSave(updateProcedure, designed)
  return async (before: Procedure, body: Input): Promise<void> => {
    const at = { ...params, procedureId: before.Id }
    const saved = await update.run({ params: at, body }, { basedOn: before })
    offerBack(saved.Name, before.Name, () =>
      update.run({ params: at, body: inputOf(before) }, { basedOn: saved }),
    )
  }
}
