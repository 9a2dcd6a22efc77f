import '#web/ui/all-styles.ts'
import { IconArrowLeft } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Logo } from './Logo.tsx'
import classes from './PhoneShell.module.css'
import { activePath, type LinkComponent, type MenuItem } from './shell-types.ts'

export type PhoneShellProps = {
  /** Five at most; each with an icon of 22 px. */
  items: MenuItem[]
  address: string
  Link: LinkComponent
  programName: string
  /** At the top right: online or offline, initials with the user's menu. */
  end?: ReactNode
  /**
   * A focused task (an evaluation) hides bar and menu: it has its own title, a way back, and at the foot its own
   * buttons.
   */
  task?: { title: string; detail?: string; onBack: () => void; foot?: ReactNode }
  banner?: ReactNode
  words?: { back: string; menu: string; skip: string }
  children: ReactNode
}

const englishWords = { back: 'Back', menu: 'Main menu', skip: 'Skip to the content' }

/** The frame below 768 px: a quiet head, the work, and the bar under the thumb. */
export function PhoneShell(props: PhoneShellProps) {
  const { Link, task, words = englishWords } = props
  const active = activePath(props.items, props.address)[0]
  return (
    <div className={classes.frame}>
      <a href="#content" className={classes.skip}>
        {words.skip}
      </a>
      <header className={classes.top}>
        {task ? (
          <>
            <button type="button" className={classes.back} aria-label={words.back} onClick={task.onBack}>
              <IconArrowLeft size={22} stroke={1.75} aria-hidden />
            </button>
            <div className={classes.name}>
              <b>{task.title}</b>
              {task.detail && <span>{task.detail}</span>}
            </div>
          </>
        ) : (
          <>
            <Logo size={28} />
            <b className={classes.name}>{props.programName}</b>
          </>
        )}
        <div className={classes.end}>{props.end}</div>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the arrow keys must reach it */}
      <main id="content" tabIndex={0} className={classes.main}>
        {props.banner}
        {props.children}
      </main>
      {task ? (
        task.foot && <footer className={classes.foot}>{task.foot}</footer>
      ) : (
        <nav aria-label={words.menu} className={classes.bar}>
          {props.items.map((item) => (
            <Link
              key={item.id}
              href={item.href}
              className={classes.item}
              data-on={item.id === active || undefined}
              aria-current={item.id === active ? 'page' : undefined}
            >
              <span className={classes.icon}>
                {item.icon}
                {Boolean(item.count) && (
                  <i className={classes.count}>
                    {item.count}
                    <span className="p-sr-only"> waiting</span>
                  </i>
                )}
              </span>
              {item.label}
            </Link>
          ))}
        </nav>
      )}
    </div>
  )
}
