import { useBlocker } from '@tanstack/react-router'

/** The router's part of guarding unsaved changes: asks before another page is opened. */
export const useRouterBlock = (isUnsaved: boolean, shouldStay: () => Promise<boolean>): void => {
  useBlocker({ shouldBlockFn: async () => isUnsaved && (await shouldStay()), enableBeforeUnload: false })
}
