import { Menu } from '@mantine/core'
import classes from './Frame.module.css'
import { UserButton, type UserMenuProps } from './UserButton.tsx'

/** The opened user menu. */
export function UserMenuList(props: UserMenuProps) {
  return (
    <Menu position="bottom-end" width={240} defaultOpened>
      <Menu.Target>
        <UserButton {...props} />
      </Menu.Target>
      <Menu.Dropdown>
        {props.items.map((item) => (
          <Menu.Item key={item.id} leftSection={item.icon} onClick={item.onRun}>
            {item.label}
            {item.detail && <div className={classes.date}>{item.detail}</div>}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
