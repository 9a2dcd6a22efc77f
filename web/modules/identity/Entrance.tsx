import type { ReactNode } from 'react'
import { Logo } from '#web/shell/Logo.tsx'
import { entranceWords as words } from '#web/words/entrance-words.ts'
import { Dial } from './Dial.tsx'
import classes from './identity.module.css'
import { LanguageSwitch } from './LanguageSwitch.tsx'

/** The frame of the pages before signing in: the form at the left, the week's dial at the right on wide screens. */
export function Entrance({
  title,
  intro,
  above,
  children,
}: {
  title: string
  intro?: string
  /** Over the title: the way back. */
  above?: ReactNode
  children: ReactNode
}) {
  return (
    <main className={classes.entrance}>
      <title>{`${title} · Practicum`}</title>
      <div className={classes.left}>
        <div className={classes.brand}>
          <Logo size={30} />
          Practicum
        </div>
        <div className={classes.middle}>
          {above}
          <h1>{title}</h1>
          {intro && <p className={classes.intro}>{intro}</p>}
          {children}
        </div>
        <footer className={classes.foot}>
          © 2005–{new Date().getFullYear()} Practicum
          <LanguageSwitch />
        </footer>
      </div>
      <div className={classes.right}>
        <Dial />
        <p>{words('identity.dial')}</p>
      </div>
    </main>
  )
}
