import { getNonAdminData, getProgramMenu } from '#contract/session/session.ts'
import { useRead } from '#web/api/use-call.ts'
import { useAppState } from '#web/api/use-state.ts'
import { accountPages } from '#web/shell/account-pages.ts'
import { RouterLink } from '#web/shell/RouterLink.tsx'
import { inPhoneBar } from '#web/shell/shell-types.ts'
import { Page } from '#web/ui/Page.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './communication.module.css'

/** What does not fit into the phone's bar. */
export function MorePage() {
  const words = useWords()
  const { data: state } = useAppState()
  const data = useRead(getNonAdminData)
  const programId = state?.ProgramId ?? 0
  const menu = useRead(
    getProgramMenu,
    { params: { programId } },
    { isEnabled: programId > 0, staleMs: 300_000 },
  )
  const unread = data.data?.NotificationCount ?? 0
  const items = (menu.data ?? []).map(({ Name, Url }) => ({ label: Name, href: Url, detail: '' }))
  const inBar = new Set(inPhoneBar(items))
  const links = [
    ...items.filter((item) => !inBar.has(item)),
    {
      label: words('communication.inbox'),
      href: '/new/inbox',
      detail: unread > 0 ? words('communication.unread', { count: unread }) : '',
    },
    { label: words('communication.guide'), href: '/new/help', detail: '' },
    ...(state ? accountPages(state.User, false) : []).map(({ href, label }) => ({
      label: words(label),
      href,
      detail: '',
    })),
  ]
  return (
    <Page title={words('communication.more')} count={state?.ProgramName ?? undefined} inset>
      <ul className={classes.list}>
        {links.map(({ label, href, detail }) => (
          <li key={href}>
            <RouterLink href={href} className={classes.row}>
              <span className={classes.text}>{label}</span>
              {detail && <span className={classes.when}>{detail}</span>}
            </RouterLink>
          </li>
        ))}
      </ul>
      <p className={classes.copyright}>{words('shell.copyright', { year: new Date().getFullYear() })}</p>
    </Page>
  )
}
