import { Level } from '#contract/levels.ts'
import { may } from '#contract/permissions.ts'
import { getNonAdminData, getProgramMenu } from '#contract/session.ts'
import { useRead } from '#web/api/use-call.ts'
import { useAppState } from '#web/api/use-state.ts'
import { RouterLink } from '#web/shell/RouterLink.tsx'
import { mostInPhoneBar } from '#web/shell/shell-types.ts'
import { Page } from '#web/ui/Page.tsx'
import { useWords, type Words } from '#web/words/use-words.ts'
import classes from './communication.module.css'

const verificationLinks = (words: Words): [string, string][] => [
  [words('verifications.backgroundTitle'), '/new/verification?type=1'],
  [words('verifications.immunizationTitle'), '/new/verification?type=2'],
]

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
  const links: [string, string, string?][] = [
    ...(menu.data ?? []).slice(mostInPhoneBar).map(({ Name, Url }): [string, string] => [Name, Url]),
    [
      words('communication.inbox'),
      '/new/inbox',
      unread > 0 ? words('communication.unread', { count: unread }) : undefined,
    ],
    ...(state?.User.AccessLevel === Level.Student ? verificationLinks(words) : []),
    [words('communication.guide'), '/new/help'],
    ...(state && may(state.User, 'employment.own')
      ? [[words('employment.ownTitle'), '/new/employment'] as [string, string]]
      : []),
    ...(state && !state.User.IsDemo
      ? [[words('shell.changeEmail'), '/new/change-email'] as [string, string]]
      : []),
    [words('shell.changePassword'), '/new/change-password'],
    [words('shell.preferences'), '/new/preferences'],
    [words('shell.authenticator'), '/new/totp-settings?closes=true'],
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
