import type { ReactNode } from 'react'
import { mayOpen, pageAbove } from '#contract/core/pages.ts'
import { homePath } from '#contract/session/session.ts'
import { useAddressPath } from '#web/api/navigate.ts'
import { useAppState } from '#web/api/use-state.ts'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage, type PageMessageProps } from '#web/ui/PageMessage.tsx'
import { useWords } from '#web/words/use-words.ts'
import { RouterLink } from './RouterLink.tsx'

/** A whole page in place of one that is not there or could not be loaded: with a heading, and a way back to its list or home. */
export function PageProblem({
  standalone = false,
  ...message
}: Omit<PageMessageProps, 'text'> & { text?: string; detail?: ReactNode; standalone?: boolean }) {
  const words = useWords()
  const { data: state } = useAppState()
  const path = useAddressPath()
  const above = pageAbove(path)
  const isAbove = above !== undefined && state !== undefined && mayOpen(state.User, above)
  const home = homePath(state?.User.AccessLevel ?? 0)
  return (
    <Page
      title={words(message.kind === 'error' ? 'shell.problemTitle' : 'shell.notFoundTitle')}
      standalone={standalone}
      inset
    >
      <PageMessage
        {...message}
        text={message.text ?? words('shell.notFound')}
        next={
          message.next ?? (
            <RouterLink href={isAbove ? above : home}>
              {words(isAbove ? 'shell.backToList' : 'shell.home')}
            </RouterLink>
          )
        }
      />
    </Page>
  )
}
