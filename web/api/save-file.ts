/** Puts bytes among the person's downloads. */
export const saveFile = (bytes: Blob, name: string): void => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(bytes)
  link.download = name
  link.click()
  // The browser has taken it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
