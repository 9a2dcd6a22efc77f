import type { ReactNode } from 'react'
import type { CallError } from '#web/api/call.ts'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { useWords } from '#web/words/use-words.ts'

/** Whether a failure says that a link is over, and not only that it could not be asked. */
export const isLinkOver = ({ status }: Pick<CallError, 'status'>): boolean =>
  status >= 400 && status < 500 && status !== 429

/** In place of what a link opens: it is over for good, or it could not be asked and can be tried again. */
export function LinkFailure(props: {
  error: Pick<CallError, 'status' | 'message'>
  /** What is said of a link that is over. */
  over?: string
  /** What can be done about it. */
  next?: ReactNode
  onRetry: () => void
}) {
  const { error, over, next, onRetry } = props
  const words = useWords()
  return isLinkOver(error) ? (
    <PageMessage kind="not-found" text={over ?? words('links.over')} detail={error.message} next={next} />
  ) : (
    <PageMessage kind="error" text={error.message} detail={words('links.safe')} onRetry={onRetry} />
  )
}
