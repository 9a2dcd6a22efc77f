import { Level } from '#contract/core/levels.ts'
import { stopViewing } from '#contract/identity/identity.ts'
import { getGlobals, type State } from '#contract/session/session.ts'
import { call } from '#web/api/call.ts'
import { useRead } from '#web/api/use-call.ts'

import { later } from '#web/ui/later.tsx'
import { useWords } from '#web/words/use-words.ts'
import { DemoBanner } from './DemoBanner.tsx'
import { KeptNotice } from './KeptNotice.tsx'
import { StaleNotice } from './StaleNotice.tsx'
import classes from './session.module.css'
import { useAsking } from './switching.ts'

const CopyBar = later(() => import('./RareBars.tsx').then((m) => m.CopyBar))
const WardBar = later(() => import('./RareBars.tsx').then((m) => m.WardBar))
const SwitchDialog = later(() => import('./SwitchDialog.tsx').then((m) => m.SwitchDialog))

/**
 * Notices above every page of a shell: that somebody is viewing as another person, that what is shown may be
 * out of date, that nothing here is real.
 */
export function Notices({ state }: { state: State }) {
  const globals = useRead(getGlobals, {}, { staleMs: 60_000 })
  const asking = useAsking()
  const words = useWords()
  const hasClock = state.User.AccessLevel === Level.Student
  return (
    <>
      {state.Viewer && <ViewBar viewer={state.Viewer.Name} name={state.User.Name} />}
      {state.IpWarning !== null && (
        <p role="note" className={classes.address}>
          {words('shell.ipWarning', { address: state.IpWarning })}
        </p>
      )}
      {state.IsShared && <WardBar name={state.User.Name} />}
      <StaleNotice hasClock={hasClock} />
      {hasClock && <KeptNotice />}
      {globals.data?.IsDemoInstallation && <DemoBanner />}
      {globals.data?.CopyOf && <CopyBar backup={globals.data.CopyOf} user={state.User} />}
      {asking && <SwitchDialog key={asking.UserId} asking={asking} />}
    </>
  )
}

/** The bar of an administrator who views the product as somebody else. */
export function ViewBar({ viewer, name }: { viewer: string; name: string }) {
  const words = useWords()
  const stop = async () => {
    const { RedirectTo } = await call(stopViewing)
    location.assign(RedirectTo)
  }
  return (
    <section className={classes.viewing} aria-label={words('people.viewAs')}>
      <span>{words('shell.viewingAs', { viewer, name })}</span>
      <button type="button" onClick={() => void stop()}>
        {words('shell.stopViewing')}
      </button>
    </section>
  )
}
