import { useState, useSyncExternalStore } from 'react'
import { readNote, writeNote } from '#web/api/device.ts'
import { installOffer, watchInstall } from '#web/api/install.ts'

const punchesBefore = 2

/** Counts towards the offer: whoever punched twice here will do so again. */
export const countPunch = (): void => {
  const made = Number(readNote('install'))
  // Whoever declined has no number there.
  if (made < punchesBefore) writeNote('install', made + 1)
}

const isInstalled = (): boolean => matchMedia('(display-mode: standalone)').matches
/** There the person installs it by hand: the browser makes no offer. */
const isIos = (): boolean => /iPhone|iPad|iPod/.test(navigator.userAgent)

export interface Install {
  isOffered: boolean
  isByHand: boolean
  decline: () => void
}

/** Whether to offer the installation on this phone: after the second punch, until somebody declines. */
export const useInstall = (): Install => {
  const offer = useSyncExternalStore(watchInstall, installOffer)
  const [isDeclined, setDeclined] = useState(false)
  const isByHand = offer === undefined && isIos()
  const isOffered =
    !isDeclined &&
    (offer !== undefined || isByHand) &&
    Number(readNote('install')) >= punchesBefore &&
    !isInstalled()
  const decline = () => {
    writeNote('install', 'no')
    setDeclined(true)
  }
  return { isOffered, isByHand, decline }
}
