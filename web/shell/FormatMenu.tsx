import type { MouseEvent } from 'react'
import { Menu } from '#web/ui/base.ts'
import { useMenu } from '#web/ui/escape.ts'
import { useWords } from '#web/words/use-words.ts'
import { FormatButton } from './FormatButton.tsx'

type FormatMenuProps = {
  csv: string
  pdf?: string
  allColumns?: (format: 'xlsx' | 'csv') => string
  /** A file that takes long is prepared instead. */
  onClick: (event: MouseEvent<HTMLAnchorElement>) => void
}

/** The other formats with their button; the menu opens at once, for it takes the place of the button that was pressed. */
export function FormatMenu({ csv, pdf, allColumns, onClick }: FormatMenuProps) {
  const words = useWords()
  const [isOpen, setOpen] = useMenu(true)
  return (
    <Menu position="bottom-end" opened={isOpen} onChange={setOpen}>
      <Menu.Target>
        <FormatButton />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={csv} download>
          {words('shell.csv')}
        </Menu.Item>
        {pdf && (
          <Menu.Item component="a" href={pdf} download onClick={onClick}>
            {words('shell.pdf')}
          </Menu.Item>
        )}
        {allColumns && (
          <>
            <Menu.Item component="a" href={allColumns('xlsx')} download onClick={onClick}>
              {words('shell.excelAll')}
            </Menu.Item>
            <Menu.Item component="a" href={allColumns('csv')} download>
              {words('shell.csvAll')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
