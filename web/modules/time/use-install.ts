import { useState, useSyncExternalStore } from 'react'
import { installOffer, watchInstall } from '#web/api/install.ts'
import { appRoot } from '#web/api/root.ts'

/** How many punches this device has made, or 'no' once somebody has declined. */
const name = `practicum-install${appRoot}`
const punchesBefore = 2

const read = (): string => {
  try {
    return localStorage.getItem(name) ?? '0'
  } catch {
    return 'no'
  }
}
const write = (value: string): void => {
  try {
    localStorage.setItem(name, value)
  } catch {
    // Without storage nothing is offered.
  }
}

/** Counts towards the offer: whoever punched twice here will do so again. */
export const countPunch = (): void => {
  const made = read()
  if (made !== 'no' && Number(made) < punchesBefore) write(String(Number(made) + 1))
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
    !isDeclined && (offer !== undefined || isByHand) && Number(read()) >= punchesBefore && !isInstalled()
  const decline = () => {
    write('no')
    setDeclined(true)
  }
  return { isOffered, isByHand, decline }
}
