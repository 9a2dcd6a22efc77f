import { homePath } from '#contract/session/session.ts'
import { useUser } from '#web/api/use-state.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { useWords } from '#web/words/use-words.ts'

/** Nothing is at this address: says so and leads home. */
export function NotFoundPage() {
  const words = useWords()
  const user = useUser()
  return (
    <Page title={words('shell.notFoundTitle')} inset>
      <PageMessage
        kind="not-found"
        text={words('shell.notFound')}
        detail={words('shell.notFoundDetail')}
        next={<PageLink href={homePath(user.AccessLevel)}>{words('shell.home')}</PageLink>}
      />
    </Page>
  )
}
