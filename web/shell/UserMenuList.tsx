import { Menu } from '#web/ui/base.ts'
import { useMenu } from '#web/ui/escape.ts'
import classes from './Frame.module.css'
import { UserButton, type UserMenuProps } from './UserButton.tsx'

/** The opened user menu. */
export function UserMenuList(props: UserMenuProps) {
  const [isOpen, setOpen] = useMenu(true)
  return (
    <Menu position="bottom-end" width={240} opened={isOpen} onChange={setOpen}>
      <Menu.Target>
        <UserButton {...props} />
      </Menu.Target>
      <Menu.Dropdown>
        {props.heading && (
          <>
            <div className={classes.about}>
              <b>{props.heading.title}</b>
              {props.heading.lines.filter(Boolean).map((line) => (
                <span key={line} className={classes.date}>
                  {line}
                </span>
              ))}
            </div>
            <Menu.Divider />
          </>
        )}
        {props.items.map((item) =>
          item.isChecked === undefined ? (
            <Menu.Item key={item.id} leftSection={item.icon} onClick={item.onRun}>
              {item.label}
              {item.detail && <div className={classes.date}>{item.detail}</div>}
            </Menu.Item>
          ) : (
            <Menu.CheckboxItem key={item.id} checked={item.isChecked} onChange={item.onRun}>
              {item.label}
            </Menu.CheckboxItem>
          ),
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
