import { Menu } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { Avatar } from '#web/ui/Avatar.tsx'
import classes from './Frame.module.css'
import type { ShellUser, UserMenuItem } from './shell-types.ts'

/** The user's name with what belongs to the account: preferences, other accounts, sign out. `isShort`: initials only. */
export function UserMenu(props: { user: ShellUser; items: UserMenuItem[]; isShort?: boolean }) {
  const { user, items, isShort } = props
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <button type="button" className={classes.user} aria-label={`Account of ${user.name}`}>
          <Avatar name={user.name} />
          {!isShort && (
            <>
              <span className={`${classes.wide} p-ellipsis`}>{user.name}</span>
              <IconChevronDown size={15} className={classes.wide} aria-hidden />
            </>
          )}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {items.map((item) => (
          <Menu.Item key={item.id} leftSection={item.icon} onClick={item.onRun}>
            {item.label}
            {item.detail && <div className={classes.date}>{item.detail}</div>}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
