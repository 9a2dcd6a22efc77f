import { later, useOpening } from '#web/ui/later.tsx'
import { UserButton, type UserMenuProps } from './UserButton.tsx'

const UserMenuList = later(() => import('./UserMenuList.tsx').then((m) => m.UserMenuList))

/** The user's name with what belongs to the account: preferences, other accounts, sign out. No screen needs the menu to be shown. */
export function UserMenu(props: UserMenuProps) {
  const { isOpened, open, near } = useOpening(UserMenuList)
  return isOpened ? (
    <UserMenuList {...props} />
  ) : (
    <UserButton {...props} {...near} aria-haspopup="menu" aria-expanded={false} onClick={open} />
  )
}
