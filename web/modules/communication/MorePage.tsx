import { getNonAdminData } from '#contract/session.ts'
import { useRead } from '#web/api/use-call.ts'
import { useAppState } from '#web/api/use-state.ts'
import { RouterLink } from '#web/shell/RouterLink.tsx'
import { Page } from '#web/ui/Page.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './communication.module.css'

/** What does not fit into the phone's bar. */
export function MorePage() {
  const words = useWords()
  const { data: state } = useAppState()
  const data = useRead(getNonAdminData)
  const unread = data.data?.NotificationCount ?? 0
  const links: [string, string, string?][] = [
    [
      words('communication.inbox'),
      '/new/inbox',
      unread > 0 ? words('communication.unread', { count: unread }) : undefined,
    ],
    [words('communication.guide'), '/new/help'],
    [words('shell.changePassword'), '/new/change-password'],
    [words('shell.sessions'), '/new/sessions'],
  ]
  return (
    <Page title={words('communication.more')} count={state?.ProgramName ?? undefined} inset>
      <ul className={classes.list}>
        {links.map(([label, href, detail]) => (
          <li key={href}>
            <RouterLink href={href} className={classes.row}>
              <span className={classes.text}>{label}</span>
              {detail && <span className={classes.when}>{detail}</span>}
            </RouterLink>
          </li>
        ))}
      </ul>
    </Page>
  )
}
