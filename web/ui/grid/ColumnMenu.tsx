import { Menu } from '@mantine/core'
import { plainWords } from '#web/words/plain-words.ts'
import { FloatingMenu } from '../FloatingMenu.tsx'
import { ColumnButton } from './ColumnButton.tsx'
import type { useColumnChoice } from './column-choice.ts'
import type { GridColumn } from './grid-types.ts'

export type ColumnChoiceProps<Row> = {
  columns: readonly Pick<GridColumn<Row>, 'id' | 'header' | 'identity'>[]
  choice: Pick<ReturnType<typeof useColumnChoice<Row>>, 'visibility' | 'show' | 'reset' | 'isChanged'>
}

/** The button that chooses columns with its menu, which opens at once: it takes the place of the button that was pressed. */
export function ColumnMenu<Row>({ columns, choice }: ColumnChoiceProps<Row>) {
  return (
    <FloatingMenu position="bottom-end" closeOnItemClick={false} width={220} defaultOpened>
      <Menu.Target>
        <ColumnButton />
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
    </FloatingMenu>
  )
}
