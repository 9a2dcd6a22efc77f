import { Failure } from '#server/core/runtime/failure.ts'

/** The refusal of a text that no answer gave as a cursor, or that one of another list gave. */
export const strayCursor = (field = 'cursor'): Failure =>
  new Failure(400, 'invalid', 'This cursor belongs to another list. Begin again with the first page.', {
    fields: [{ Field: field, Message: 'belongs to another list' }],
  })
