import * as contract from '#contract/changes/changes.ts'
import { may } from '#contract/core/permissions.ts'
import { handle } from '#server/core/http/handle.ts'
import { pageChanges } from './changes.queries.ts'

export const changeRoutes = [
  handle(contract.listChanges, ({ db, params: { programId }, query: { after, Kinds, pageSize }, user }) => {
    const readable = contract.changeKinds.filter((kind) => may(user, contract.rightsOfChanges[kind]))
    const kinds = Kinds ? readable.filter((kind) => Kinds.includes(kind)) : readable
    return pageChanges(db, programId, { after, kinds, pageSize })
  }),
]
