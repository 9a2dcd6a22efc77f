import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Button } from '#web/ui/buttons.ts'
import { FullWidth } from '#web/ui/form/Form.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './sites.module.css'

/** What a cell of a row takes: its address in the form, so that a refusal of the server finds it. */
export interface RowCell<Row> {
  row: Row
  /** The field props of one part of the row. */
  part: <Name extends keyof Row & string>(
    name: Name,
  ) => {
    name: string
    value: Row[Name]
    onChange: (value: Row[Name]) => void
    error?: string
  }
}

export interface SiteRowsProps<Row extends { Id: number }> {
  /** The form's field: 'Contacts'. */
  field: string
  rows: Row[]
  onChange: (rows: Row[]) => void
  errors: Record<string, string>
  blank: () => Row
  addLabel: string
  /** What the row is called on its remove button. */
  nameOf: (row: Row, index: number) => string
  /** Whether the role may change it. */
  isLocked: boolean
  cells: (cell: RowCell<Row>) => ReactNode
  /** More verbs of a row, before Remove. */
  verbs?: (row: Row, change: (row: Row) => void) => ReactNode
}

/** What a part of a site's form that has rows takes: networks, contacts, departments, agreements. */
export type SitePartProps<Row extends { Id: number }> = Pick<
  SiteRowsProps<Row>,
  'rows' | 'onChange' | 'errors' | 'isLocked'
>

/** Rows of a site that are edited in its form: contacts, departments, networks, agreements. */
export function SiteRows<Row extends { Id: number }>(props: SiteRowsProps<Row>) {
  const { field, rows, onChange, errors, nameOf, isLocked } = props
  const words = useWords()
  const change = (index: number, row: Row) => onChange(rows.map((each, at) => (at === index ? row : each)))
  return (
    <FullWidth>
      <div className={classes.rows}>
        {rows.length === 0 && <p className={classes.noRows}>{words('sites.noRows')}</p>}
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: new rows have no identity yet, and rows never change places
          <div key={index} className={classes.row}>
            {props.cells({
              row,
              part: (name) => ({
                name: `${field}.${index}.${name}`,
                value: row[name],
                onChange: (value) => change(index, { ...row, [name]: value }),
                ...(errors[`${field}.${index}.${name}`] && { error: errors[`${field}.${index}.${name}`] }),
              }),
            })}
            {!isLocked && (
              <div className={classes.rowEnd}>
                {props.verbs?.(row, (next) => change(index, next))}
                <Button
                  variant="subtle"
                  color="gray"
                  data-quiet
                  leftSection={<IconTrash size={16} stroke={1.75} aria-hidden />}
                  aria-label={words('sites.removeNamed', { name: nameOf(row, index) })}
                  onClick={() => onChange(rows.filter((_, at) => at !== index))}
                >
                  {words('sites.remove')}
                </Button>
              </div>
            )}
          </div>
        ))}
        {!isLocked && (
          <div>
            <Button
              variant="default"
              leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
              onClick={() => onChange([...rows, props.blank()])}
            >
              {props.addLabel}
            </Button>
          </div>
        )}
      </div>
    </FullWidth>
  )
}
