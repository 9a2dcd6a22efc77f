import { useContext } from 'react'
import { may, type Permission } from '#contract/core/permissions.ts'
import { optionDefaults, type ProgramOptions } from '#contract/programs/program-options.ts'
import {
  getAdminData,
  getGlobals,
  getLeftMenu,
  getNonAdminData,
  getState,
  saveState,
} from '#contract/session/session.ts'
import { ActingContext } from './acting.ts'
import { logFailure } from './call.ts'
import { minute, StateContext } from './KnownState.tsx'
import { queryClient, useRead, useSave } from './use-call.ts'

/** The application state of the signed-in person; undefined until it is read. */
export const useAppState = () => {
  const acting = useContext(ActingContext)
  return useRead(getState, {}, { staleMs: minute, isEnabled: acting === undefined })
}

/**
 * The program that the screens work on. Screens of a program render only when one is chosen, so they may rely on it.
 *
 * @throws Error when a screen forgot to ask for a program first
 */
export const useProgramId = (): number => {
  const acting = useContext(ActingContext)
  const state = useContext(StateContext)
  if (acting) return acting.programId
  if (!state?.ProgramId) throw new Error('This screen needs a program.')
  return state.ProgramId
}

/** The signed-in person; the shells render screens only when they are known. */
export const useUser = () => {
  const state = useContext(StateContext)
  if (!state) throw new Error('This screen needs a signed-in person.')
  return state.User
}

/** Whether the signed-in person has a permission: for what is shown, never in place of the server's check. */
export const useMay = (): ((permission: Permission) => boolean) => {
  const user = useUser()
  return (permission) => may(user, permission)
}

/** IANA name of the zone in which the program's days and times are shown. */
export const useTimeZone = (): string => {
  const acting = useContext(ActingContext)
  const state = useContext(StateContext)
  return acting?.timeZone ?? state?.TimeZone ?? 'America/New_York'
}

/** The options of the chosen program, with their defaults until they are read. */
export const useProgramOptions = (): ProgramOptions => {
  const { data } = useRead(getGlobals, {}, { staleMs: minute })
  return data ? JSON.parse(data.ProgramOptionsData) : optionDefaults
}

/**
 * Saves part of the state; menu, globals and everything of the program are read again. A failure is logged
 * with its status and told nowhere: the shells go on showing the state as it is. Answers whether it
 * was saved.
 */
export const useSaveState = () => {
  const save = useSave(saveState, {
    refresh: [getState, getLeftMenu, getGlobals, getAdminData, getNonAdminData],
  })
  return {
    isRunning: save.isRunning,
    run: async (change: {
      CollegeId?: number | null
      ProgramId?: number | null
      IsProgramMenuEnabled?: boolean
      isAdminMenuSemiHidden?: boolean
    }) => {
      try {
        await save.run({ body: change })
      } catch (error) {
        logFailure('Saving the state', error)
        return false
      }
      if (change.ProgramId !== undefined) await queryClient.invalidateQueries()
      return true
    },
  }
}
