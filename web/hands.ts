import { startBack } from './back.ts'
import { startPress } from './press.ts'

/** Where Back is a button or a stroke of the device. */
const hasBack = '(max-width: 47.99em), (pointer: coarse)'

/** What makes presses and Back do what hands mean by them. */
export const startHands = (): void => {
  startPress()
  if (matchMedia(hasBack).matches) startBack()
}
