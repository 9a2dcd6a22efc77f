import { IconDots } from '@tabler/icons-react'
import { plainWords } from '#web/words/plain-words.ts'
import { useMenu } from '../escape.ts'
import { later, useOpening } from '../later.tsx'
import classes from './Grid.module.css'
import type { RowAction } from './grid-types.ts'
import { once } from './once.ts'

type Props = {
  actions: () => RowAction[]
  /** What the row is called, so that "More for Thornbury, Caleb" tells buttons apart. */
  name: string
  tabIndex: number
  /** Quick actions are icons before ⋯. */
  withQuick?: boolean
}

const tones = { plain: undefined, good: 'var(--p-approved)', danger: 'var(--p-rejected)' }

const RowMenu = later(() => import('./RowMenu.tsx').then((m) => m.RowMenu))

/** Whether an action is an icon before ⋯. */
export const isIcon = (action: RowAction): boolean => Boolean(action.quick && action.icon)

/** The end of a row. The menu is only built when it is opened: thousands of rows cost nothing. */
export function RowActions({ actions, name, tabIndex, withQuick = true }: Props) {
  const [isOpen, setOpen] = useMenu(false)
  const menu = useOpening(RowMenu)
  const all = actions()
  if (all.length === 0) return null
  const dots = (
    <button
      type="button"
      className={classes.iconButton}
      aria-label={plainWords('ui.moreFor', { name })}
      aria-haspopup="menu"
      aria-expanded={isOpen}
      tabIndex={tabIndex}
      {...menu.near}
      onClick={() => {
        setOpen(!isOpen)
        if (!menu.isOpened) menu.open()
      }}
    >
      <IconDots size={16} aria-hidden />
    </button>
  )
  return (
    <div className={classes.actions}>
      {withQuick &&
        all.filter(isIcon).map((action) => (
          <button
            key={action.label}
            type="button"
            className={`${classes.iconButton} ${classes.quick}`}
            style={{ '--tone': tones[action.tone ?? 'plain'] }}
            aria-label={[`${action.label}: ${name}`, action.reason].filter(Boolean).join('. ')}
            title={action.reason || action.label}
            aria-disabled={action.reason ? true : undefined}
            tabIndex={tabIndex}
            onClick={action.reason ? undefined : once(action.onRun)}
            data-decides
          >
            {action.icon}
          </button>
        ))}
      {menu.isOpened ? <RowMenu actions={all} isOpen={isOpen} onOpen={setOpen} button={dots} /> : dots}
    </div>
  )
}
