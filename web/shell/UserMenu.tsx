import { lazy, Suspense, useState } from 'react'
import { UserButton, type UserMenuProps } from './UserButton.tsx'

const load = () => import('./UserMenuList.tsx').then((m) => ({ default: m.UserMenuList }))
const UserMenuList = lazy(load)

/**
 * The user's name with what belongs to the account: preferences, other accounts, sign out. The code of menus is loaded when
 * the pointer or the focus comes near; no screen needs it to be shown.
 */
export function UserMenu(props: UserMenuProps) {
  const [isWanted, setWanted] = useState(false)
  const button = (
    <UserButton
      {...props}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => setWanted(true)}
    />
  )
  return isWanted ? (
    <Suspense fallback={button}>
      <UserMenuList {...props} />
    </Suspense>
  ) : (
    button
  )
}
