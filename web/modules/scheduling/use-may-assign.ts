import { Level } from '#contract/core/levels.ts'
import { useMay, useProgramOptions, useUser } from '#web/api/use-state.ts'

/** Whether the person may edit assignments in the program. */
export const useMayAssign = (): boolean => {
  const options = useProgramOptions()
  const { AccessLevel } = useUser()
  const may = useMay()
  return (
    may('scheduling.assign') && (AccessLevel > Level.Faculty || !options.DisableScheduleAssignmentsForFaculty)
  )
}
