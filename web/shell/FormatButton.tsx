import { IconChevronDown } from '@tabler/icons-react'
import type { ComponentPropsWithRef } from 'react'
import { Button } from '#web/ui/buttons.ts'
import { useWords } from '#web/words/use-words.ts'

/** The button beside an export that has the other formats. */
export function FormatButton(props: ComponentPropsWithRef<'button'>) {
  const words = useWords()
  return (
    <Button {...props} variant="default" px={8} aria-label={words('shell.moreFormats')}>
      <IconChevronDown size={16} stroke={2} aria-hidden />
    </Button>
  )
}
