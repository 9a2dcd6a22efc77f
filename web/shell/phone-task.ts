import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'

/** A focused task on a phone: its own title and way back in place of the bar. */
export interface PhoneTask {
  title: string
  detail?: string
  onBack: () => void
  foot?: ReactNode
}

export const PhoneTaskContext = createContext<(task: PhoneTask | undefined) => void>(() => {})

/** The frame's side: holds the task that the screen has announced. */
export const usePhoneTaskState = () => {
  const [current, set] = useState<PhoneTask>()
  return { current, set }
}

/** The screen's side: while it is shown, the phone's bar makes room for the task. `version` says when it changed. */
export const usePhoneTask = (task: PhoneTask | undefined, version: string): void => {
  const set = useContext(PhoneTaskContext)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the task holds elements, which are new at every drawing
  useEffect(() => set(task), [set, version])
  useEffect(() => () => set(undefined), [set])
}
