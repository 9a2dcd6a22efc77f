/**
 * Comes back when the browser has done what waits: a slow phone answers touches between the steps of a page that starts and
 * between the calls it begins with, each of which keeps it busy for some milliseconds.
 */
export const nextStep = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
