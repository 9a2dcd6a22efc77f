import { Menu } from '@mantine/core'
import type { ReactElement } from 'react'
import classes from './Grid.module.css'
import type { RowAction } from './grid-types.ts'

type RowMenuProps = {
  actions: readonly RowAction[]
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  button: ReactElement
}

/** The menu of a row, with the button that opens it. */
export function RowMenu({ actions, isOpen, onOpen, button }: RowMenuProps) {
  return (
    <Menu opened={isOpen} onChange={onOpen} position="bottom-end" returnFocus width="max-content">
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) => (
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
  )
}
