import type { CallError } from '#web/api/call.ts'
import { PageProblem } from './PageProblem.tsx'

export type FailedRead = { error: CallError | null; refetch: () => Promise<unknown> }

/**
 * A whole page in place of what could not be read. Trying again is offered only where it can help: not for an address that is
 * wrong, or leads to nothing, or to something that is not for this person.
 */
export function ReadProblem({ read, standalone = false }: { read: FailedRead; standalone?: boolean }) {
  const { error } = read
  if (!error) return null
  const isNotThere = [400, 404].includes(error.status)
  return (
    <PageProblem
      kind={isNotThere ? 'not-found' : 'error'}
      text={error.message}
      {...(!isNotThere && error.status !== 403 && { onRetry: () => void read.refetch() })}
      standalone={standalone}
    />
  )
}
