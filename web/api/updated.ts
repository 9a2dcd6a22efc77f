let isUpdated = false

/** Remembers that the server has other pages by now than the one that is open. */
export const noteUpdate = (): void => {
  isUpdated = true
}

/** Whether a part of this page did not come because the product was updated meanwhile. */
export const wasUpdated = (): boolean => isUpdated
