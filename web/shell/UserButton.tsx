import { IconChevronDown } from '@tabler/icons-react'
import type { ButtonHTMLAttributes } from 'react'
import { Avatar, initialsOf } from '#web/ui/Avatar.tsx'
import { plainWords } from '#web/words/plain-words.ts'
import classes from './Frame.module.css'
import type { ShellUser, UserMenuItem } from './shell-types.ts'

export interface UserMenuProps {
  user: ShellUser
  items: UserMenuItem[]
  /** What the shell has no room for: comes first in the menu. */
  heading?: { title: string; lines: string[] } | undefined
  /** Initials only. */
  isShort?: boolean
}

/** What opens the menu: initials, and the name where there is room. */
export function UserButton({
  user,
  items: _,
  heading: _heading,
  isShort,
  className,
  ...rest
}: UserMenuProps & ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button
      type="button"
      className={className ? `${classes.user} ${className}` : classes.user}
      aria-label={`${plainWords('shell.accountOf', { name: user.name })} (${initialsOf(user.name)})`}
      {...rest}
    >
      <Avatar name={user.name} />
      {!isShort && (
        <>
          <span className={`${classes.wide} p-ellipsis`}>{user.name}</span>
          <IconChevronDown size={15} className={classes.wide} aria-hidden />
        </>
      )}
    </button>
  )
}
