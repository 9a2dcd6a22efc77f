import { useContext } from 'react'
import { pageAt } from '#contract/core/pages.ts'
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
import { getTerms, type Terms } from '#contract/terminology/terminology.ts'
import { ActingContext } from './acting.ts'
import { logFailure } from './call.ts'
import { appRoot } from './root.ts'
import { queryClient, useRead, useSave } from './use-call.ts'

const minute = 60_000

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
  const { data } = useAppState()
  if (acting) return acting.programId
  if (!data?.ProgramId) throw new Error('This screen needs a program.')
  return data.ProgramId
}

/** The signed-in person; the shells render screens only when she is known. */
export const useUser = () => {
  const { data } = useAppState()
  if (!data) throw new Error('This screen needs a signed-in person.')
  return data.User
}

/** Whether the signed-in person has a permission: for what is shown, never in place of the server's check. */
export const useMay = (): ((permission: Permission) => boolean) => {
  const user = useUser()
  return (permission) => may(user, permission)
}

/** IANA name of the zone in which the program's days and times are shown. */
export const useTimeZone = (): string => {
  const acting = useContext(ActingContext)
  const { data } = useAppState()
  return acting?.timeZone ?? data?.TimeZone ?? 'America/New_York'
}

/** The options of the chosen program, with their defaults until they are read. */
export const useProgramOptions = (): ProgramOptions => {
  const { data } = useRead(getGlobals, {}, { staleMs: minute })
  return data ? JSON.parse(data.ProgramOptionsData) : optionDefaults
}

export const useCurrentTerms = (): Terms | undefined => {
  const acting = useContext(ActingContext)
  const { data: state } = useRead(getState, {}, { staleMs: minute, isEnabled: !acting && isSignedInPage() })
  const programId = acting?.programId ?? state?.ProgramId ?? 0
  const { data } = useRead(
    getTerms,
    { params: { programId } },
    { staleMs: 5 * minute, isEnabled: programId > 0 },
  )
  return data
}

/** Pages for people who are not signed in show the default wording. */
const isSignedInPage = (): boolean =>
  !pageAt((globalThis.location?.pathname ?? '').slice(appRoot.length))?.isOpen

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
