import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconDownload } from '@tabler/icons-react'
import { useWords } from '#web/words/use-words.ts'

/** Downloads what the list shows, as Excel or CSV. */
export function ExportMenu({ address }: { address: (format: 'xlsx' | 'csv') => string }) {
  const words = useWords()
  return (
    <Button.Group>
      <Button
        variant="default"
        component="a"
        href={address('xlsx')}
        download
        leftSection={<IconDownload size={17} stroke={1.75} aria-hidden />}
      >
        {words('time.excel')}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" px={8} aria-label={words('time.moreFormats')}>
            <IconChevronDown size={16} stroke={2} aria-hidden />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component="a" href={address('csv')} download>
            {words('time.csv')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Button.Group>
  )
}
