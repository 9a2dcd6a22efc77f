import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconDownload } from '@tabler/icons-react'
import { useWords } from '#web/words/use-words.ts'
import { PreparingFile } from './PreparingFile.tsx'
import { useFile } from './use-file.ts'

export interface ExportMenuProps {
  address: (format: 'xlsx' | 'csv') => string
  pdf?: string
  /** The button's words, where 'Excel' is not what the specification says. */
  label?: string
}

/** Downloads what the list shows, as Excel or CSV, and as PDF where there is one. */
export function ExportMenu({ address, pdf, label }: ExportMenuProps) {
  const words = useWords()
  const file = useFile()
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
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" px={8} aria-label={words('shell.moreFormats')}>
            <IconChevronDown size={16} stroke={2} aria-hidden />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component="a" href={address('csv')} download>
            {words('shell.csv')}
          </Menu.Item>
          {pdf && (
            <Menu.Item component="a" href={pdf} download onClick={file.onClick}>
              {words('shell.pdf')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </Button.Group>
  )
}
