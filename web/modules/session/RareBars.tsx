import { mayOpen } from '#contract/core/pages.ts'
import type { State } from '#contract/session/session.ts'
import { logOut } from '#web/api/log-out.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { formatInstant } from '#web/ui/dates.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './session.module.css'

/** The bar of an installation that was restored from a backup and reaches nobody, until it is said to be the real one. */
export function CopyBar({ backup, user }: { backup: string; user: State['User'] }) {
  const words = useWords()
  const zone = useTimeZone()
  return (
    <p role="note" className={classes.address}>
      {words('shell.copyOf', { date: formatInstant(backup, zone) })}{' '}
      {mayOpen(user, '/new/admin/system-status') ? (
        <PageLink href="/new/admin/system-status">{words('shell.copyLink')}</PageLink>
      ) : (
        words('shell.copyAsk')
      )}
    </p>
  )
}

/** The bar of a ward computer: whose session it is, and how to end it for whoever comes next. */
export function WardBar({ name }: { name: string }) {
  const words = useWords()
  return (
    <section className={classes.viewing} aria-label={words('shell.wardComputer')}>
      <span>{words('shell.onWard', { name })}</span>
      <button type="button" onClick={logOut}>
        {words('shell.finishOnWard')}
      </button>
    </section>
  )
}
