import { mayOpen } from '#contract/core/pages.ts'
import type { State } from '#contract/session/session.ts'
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
