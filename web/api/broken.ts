/** Tells the server of what broke on this page. How is loaded when something does. */
export const reportFault = async (error: unknown): Promise<void> => {
  try {
    const { report } = await import('./report-error.ts')
    report(error)
  } catch {
    // Without a network nothing can be told, and nobody waits for it.
  }
}
