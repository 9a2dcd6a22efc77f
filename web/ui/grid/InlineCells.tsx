import classes from './InlineGrid.module.css'
import type { CellEditor } from './InlineGrid.tsx'

type CellProps<Row> = { editor: CellEditor<Row>; field: keyof Row & string; label: string }

/** A choice in a cell; values are ids, and `none` is what is there without one. */
export function SelectCell<Row>(
  props: CellProps<Row> & { options: readonly { value: string | number; label: string }[]; none?: string },
) {
  const { editor, field, label, options, none } = props
  const errorId = `cell-error-${field}`
  const value = editor.draft[field]
  return (
    <div>
      <select
        className={`${classes.input} p-halo`}
        aria-label={label}
        aria-invalid={editor.error ? true : undefined}
        aria-describedby={editor.error ? errorId : undefined}
        value={value === null || value === undefined ? '' : String(value)}
        onChange={(event) => {
          const chosen = options.find((option) => String(option.value) === event.currentTarget.value)
          editor.set({ [field]: chosen?.value ?? null } as Partial<Row>)
        }}
      >
        {none !== undefined && <option value="">{none}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {editor.error && (
        <div id={errorId} className={classes.error} role="alert">
          {editor.error}
        </div>
      )}
    </div>
  )
}

/** A tick in a cell. */
export function CheckCell<Row>({ editor, field, label }: CellProps<Row>) {
  return (
    <label className={classes.check}>
      <input
        type="checkbox"
        className="p-tick"
        aria-label={label}
        checked={Boolean(editor.draft[field])}
        onChange={(event) => editor.set({ [field]: event.currentTarget.checked } as Partial<Row>)}
      />
    </label>
  )
}
