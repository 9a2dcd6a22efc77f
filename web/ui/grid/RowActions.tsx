import { Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import { plainWords } from '#web/words/plain-words.ts'
import classes from './Grid.module.css'
import type { RowAction } from './grid-types.ts'

type Props = {
  actions: () => RowAction[]
  /** What the row is called, so that "More for Thornbury, Caleb" tells buttons apart. */
  name: string
  tabIndex: number
  /** Quick actions are icons before ⋯. */
  withQuick?: boolean
}

const tones = { plain: undefined, good: 'var(--p-approved)', danger: 'var(--p-rejected)' }

/** The end of a row. The menu is only built when it is opened: thousands of rows cost nothing. */
export function RowActions({ actions, name, tabIndex, withQuick = true }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [wasOpened, setWasOpened] = useState(false)
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
      onClick={() => {
        setWasOpened(true)
        setOpen(!isOpen)
      }}
    >
      <IconDots size={16} aria-hidden />
    </button>
  )
  return (
    <div className={classes.actions}>
      {withQuick &&
        all
          .filter((action) => action.quick && action.icon && !action.reason)
          .map((action) => (
            <button
              key={action.label}
              type="button"
              className={`${classes.iconButton} ${classes.quick}`}
              style={{ color: tones[action.tone ?? 'plain'] }}
              aria-label={`${action.label}: ${name}`}
              title={action.label}
              tabIndex={tabIndex}
              onClick={action.onRun}
            >
              {action.icon}
            </button>
          ))}
      {wasOpened ? (
        <Menu opened={isOpen} onChange={setOpen} position="bottom-end" returnFocus width="max-content">
          <Menu.Target>{dots}</Menu.Target>
          <Menu.Dropdown>
            {all.map((action) => (
              <Menu.Item
                key={action.label}
                leftSection={action.icon}
                color={action.tone === 'danger' ? 'var(--p-rejected)' : undefined}
                aria-disabled={action.reason ? true : undefined}
                data-disabled={action.reason ? true : undefined}
                closeMenuOnClick={!action.reason}
                onClick={action.reason ? undefined : action.onRun}
              >
                {action.label}
                {action.reason && <div className={classes.reason}>{action.reason}</div>}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      ) : (
        dots
      )}
    </div>
  )
}
