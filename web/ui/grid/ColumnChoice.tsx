import { Menu } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { plainWords } from '#web/words/plain-words.ts'
import type { useColumnChoice } from './column-choice.ts'
import classes from './Grid.module.css'
import type { GridColumn } from './grid-types.ts'

type Props<Row> = {
  columns: readonly GridColumn<Row>[]
  choice: ReturnType<typeof useColumnChoice<Row>>
}

/** The button at the head's end that chooses columns. */
export function ColumnChoice<Row>({ columns, choice }: Props<Row>) {
  return (
    <Menu position="bottom-end" closeOnItemClick={false} width={220}>
      <Menu.Target>
        <button
          type="button"
          className={classes.iconButton}
          aria-label={plainWords('ui.chooseColumns')}
          title={plainWords('ui.chooseColumns')}
        >
          <IconColumns3 size={16} stroke={1.75} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {columns
          .filter((column) => !column.identity && column.header)
          .map((column) => {
            const isShown = choice.visibility[column.id] ?? true
            return (
              <Menu.CheckboxItem
                key={column.id}
                checked={isShown}
                onChange={(isTicked) => choice.show(column.id, isTicked)}
              >
                {column.header}
              </Menu.CheckboxItem>
            )
          })}
        {choice.isChanged && (
          <>
            <Menu.Divider />
            <Menu.Item onClick={choice.reset}>{plainWords('ui.usualColumns')}</Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
