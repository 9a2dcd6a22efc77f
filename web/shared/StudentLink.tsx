import { type ReactNode, useContext } from 'react'
import { Level } from '#contract/core/levels.ts'
import { useUser } from '#web/api/use-state.ts'
import { RouterLink } from '#web/shell/RouterLink.tsx'
import { InsideButton } from '#web/ui/grid/inside-button.ts'

/** The address of a student's page: with the staff's shell, or for supervisors with theirs. */
export const useStudentAddress = (): ((studentId: number) => string) => {
  const { AccessLevel } = useUser()
  const place = AccessLevel >= Level.Faculty ? '/new/admin/students/' : '/new/students/'
  return (studentId) => `${place}${studentId}`
}

/** A student's name that leads to the student's page; in a row of a grid the row itself is not opened as well. */
export function StudentLink({ id, children }: { id: number; children: ReactNode }) {
  const addressOf = useStudentAddress()
  if (useContext(InsideButton)) return children
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it keeps the click of the link inside from the row around it
    <span
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => event.key === 'Enter' && event.stopPropagation()}
      className="p-ellipsis"
    >
      <RouterLink href={addressOf(id)}>{children}</RouterLink>
    </span>
  )
}
