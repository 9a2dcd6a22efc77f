import { toast } from './toast.tsx'

/**
 * Does work and says in a toast why it failed; answers whether it went well. With a title the reason is below it. For
 * work that has no form of its own to show the reason in.
 */
export const attempt = async (work: () => Promise<unknown>, failed?: string): Promise<boolean> => {
  try {
    await work()
    return true
  } catch (error) {
    const { message } = error as Error
    toast.error(failed === undefined ? message : { title: failed, detail: message })
    return false
  }
}

export interface Deletion {
  remove: () => Promise<unknown>
  restore: () => Promise<unknown>
  /** What the toast with Undo says. */
  deleted: string
  /** What the toast after Undo says. */
  restored?: string
  /** Above the reason when the deletion or its undoing fails. */
  notDeleted?: string
  notRestored?: string
}

/** Says what was deleted and offers Undo. */
export const offerUndo = (
  steps: Pick<Deletion, 'restore' | 'deleted' | 'restored' | 'notRestored'>,
): void => {
  const putBack = () =>
    attempt(async () => {
      await steps.restore()
      if (steps.restored !== undefined) toast.done(steps.restored)
    }, steps.notRestored)
  toast.done({ title: steps.deleted, undo: () => void putBack() })
}

/** Deletes at once and offers Undo in place of a question before it; answers whether it is deleted. */
export const deleteWithUndo = (steps: Deletion): Promise<boolean> =>
  attempt(async () => {
    await steps.remove()
    offerUndo(steps)
  }, steps.notDeleted)
