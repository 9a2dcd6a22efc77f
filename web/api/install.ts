/** The browser's offer to install the product; not in every browser, and so not in the types of the library. */
export interface InstallOffer extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>
}

let offer: InstallOffer | undefined
const listeners = new Set<() => void>()
const set = (next: InstallOffer | undefined): void => {
  offer = next
  for (const tell of listeners) tell()
}

/** Keeps the offer for a moment at which somebody has use for it, in place of the browser's own bar. */
export const noteInstall = (): void => {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    // The name of the event says so.
    set(event as InstallOffer)
  })
  addEventListener('appinstalled', () => set(undefined))
}

export const watchInstall = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
export const installOffer = (): InstallOffer | undefined => offer

/** Shows the browser's question. It can be asked once for an offer. */
export const askToInstall = async (): Promise<void> => {
  const asked = offer
  set(undefined)
  await asked?.prompt()
}
