import { Menu, type MenuProps } from '@mantine/core'
import { useMenu } from './escape.ts'

/** A menu that the phone's Back closes, as Escape does. */
export function FloatingMenu({ defaultOpened = false, ...menu }: Omit<MenuProps, 'opened' | 'onChange'>) {
  const [isOpen, setOpen] = useMenu(defaultOpened)
  return <Menu {...menu} opened={isOpen} onChange={setOpen} />
}
