import { IconDownload } from '@tabler/icons-react'
import { Button } from '#web/ui/buttons.ts'
import { later, useOpening } from '#web/ui/later.tsx'
import { useWords } from '#web/words/use-words.ts'
import { FormatButton } from './FormatButton.tsx'
import { PreparingFile } from './PreparingFile.tsx'
import { useFile } from './use-file.ts'

export interface ExportMenuProps {
  address: (format: 'xlsx' | 'csv') => string
  pdf?: string
  /** The same with more columns than the list shows. */
  allColumns?: (format: 'xlsx' | 'csv') => string
  /** The button's words, where 'Excel' is not what the specification says. */
  label?: string
}

const FormatMenu = later(() => import('./FormatMenu.tsx').then((m) => m.FormatMenu))

/** Downloads what the list shows, as Excel or CSV, and as PDF where there is one. */
export function ExportMenu({ address, pdf, allColumns, label }: ExportMenuProps) {
  const words = useWords()
  const file = useFile()
  const formats = useOpening(FormatMenu)
  if (file.task) return <PreparingFile task={file.task} onCancel={() => void file.cancel()} />
  return (
    <Button.Group>
      <Button
        variant="default"
        component="a"
        href={address('xlsx')}
        download
        loading={file.isAsking}
        onClick={file.onClick}
        leftSection={<IconDownload size={17} stroke={1.75} aria-hidden />}
      >
        {label ?? words('shell.excel')}
      </Button>
      {formats.isOpened ? (
        <FormatMenu
          csv={address('csv')}
          onClick={file.onClick}
          {...(pdf && { pdf })}
          {...(allColumns && { allColumns })}
        />
      ) : (
        <FormatButton {...formats.near} aria-haspopup="menu" aria-expanded={false} onClick={formats.open} />
      )}
    </Button.Group>
  )
}
