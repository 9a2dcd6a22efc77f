import { Button } from '@mantine/core'
import { IconCornerDownLeft, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import type { RowData } from '@tanstack/react-table'
import { type ReactNode, useRef, useState } from 'react'
import { attempt } from '../attempt.ts'
import { confirm } from '../confirm.ts'
import { fieldErrorsOf } from '../form/use-edit-form.ts'
import { toast } from '../toast.tsx'
import { Why } from '../Why.tsx'
import gridClasses from './Grid.module.css'
import { Grid } from './Grid.tsx'
import type { GridColumn, GridProps, RowKey } from './grid-types.ts'
import classes from './InlineGrid.module.css'

/** What an edited cell gets. */
export type CellEditor<Row> = {
  draft: Row
  set: (change: Partial<Row>) => void
  error?: string
  /** The first edited cell takes the focus. */
  autoFocus: boolean
}

export type InlineColumn<Row> = GridColumn<Row> & {
  /** The cell while its row is edited; `TextCell` is the plain case. Columns without one stay as they are. */
  edit?: (editor: CellEditor<Row>) => ReactNode
}

export type InlineEditOptions<Row> = {
  rowKey: (row: Row) => RowKey
  /** A new row, its key 0; for grids with `AddNew`. */
  blank?: () => Row
  /** What is wrong with a row, by column id; checked before saving. */
  check?: (draft: Row) => Record<string, string>
  /** Saves; throws to refuse (`Errors: {Field, Message}[]` mark their cells). */
  save: (draft: Row, isNew: boolean) => Promise<unknown>
  /** Deletes; with `question` it asks first, with `undo` it offers to bring the row back. */
  remove?: (row: Row) => Promise<unknown>
  question?: (row: Row) => string
  undo?: (row: Row) => Promise<unknown>
  /** What the toast says after deleting: Deleted “Medical Assisting”. */
  deleted?: (row: Row) => string
  /** Asked before a row is saved; it goes on being edited when the answer is no. */
  saveQuestion?: (row: Row) => string
  /** Starting an edit closes the one under way without saving; otherwise that one has to be ended first. */
  switches?: boolean
  /** Why this row cannot be edited or deleted; the button stays and says so. */
  whyNotEdit?: (row: Row) => string | undefined | false
  whyNotDelete?: (row: Row) => string | undefined | false
  /** For failures that the specification wants marked and not told; returns true when it has done so. */
  onFailure?: (error: unknown, row: Row) => boolean
}

/** The state of an inline edit; give it to `AddNew` (in the page's actions) and to `InlineGrid`. */
export function useInlineEdit<Row extends RowData>(options: InlineEditOptions<Row>) {
  const [draft, setDraft] = useState<Row>()
  const [isNew, setNew] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const [errors, setErrors] = useState<Record<string, string>>({})

  const stop = () => {
    setDraft(undefined)
    setErrors({})
  }
  const fail = (error: unknown, row: Row, text: string) => {
    if (options.onFailure?.(error, row)) return
    toast.error({ title: text, detail: error instanceof Error ? error.message : undefined })
  }
  return {
    options,
    draft,
    isNew,
    isSaving,
    errors,
    isEditing: draft !== undefined,
    add: () => {
      setDraft(options.blank?.())
      setNew(true)
      setErrors({})
    },
    edit: (row: Row) => {
      setDraft(row)
      setNew(false)
      setErrors({})
    },
    change: (part: Partial<Row>) => setDraft((before) => (before ? { ...before, ...part } : before)),
    stop,
    save: async () => {
      if (!draft || isSaving) return
      const problems = options.check?.(draft) ?? {}
      setErrors(problems)
      if (Object.keys(problems).length > 0) return
      const question = options.saveQuestion?.(draft)
      if (question && !(await confirm({ text: question, verb: 'Save' }))) return
      setSaving(true)
      try {
        await options.save(draft, isNew)
        stop()
      } catch (error) {
        const refused = fieldErrorsOf(error)
        if (refused.length > 0)
          setErrors(Object.fromEntries(refused.map((each) => [each.Field, each.Message])))
        else fail(error, draft, 'Nothing was saved')
      } finally {
        setSaving(false)
      }
    },
    remove: async (row: Row) => {
      const { question, undo, deleted } = options
      if (question && !(await confirm({ text: question(row), verb: 'Delete', danger: true }))) return
      try {
        await options.remove?.(row)
        if (undo)
          toast.done({ title: deleted?.(row) ?? 'Deleted', undo: () => void attempt(() => undo(row)) })
        else if (deleted) toast.done(deleted(row))
      } catch (error) {
        fail(error, row, 'Nothing was deleted')
      }
    },
  }
}

export type InlineEdit<Row extends RowData> = ReturnType<typeof useInlineEdit<Row>>

/** The page's filled button; while a row is edited it waits and says why. */
export function AddNew<Row extends RowData>(props: {
  inline: InlineEdit<Row>
  label?: string
  reason?: string | false
}) {
  const { inline, label = 'Add New' } = props
  return (
    <Why reason={inline.isEditing ? 'One row is edited at a time. Update or cancel it first.' : props.reason}>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={inline.add}>
        {label}
      </Button>
    </Why>
  )
}

export type InlineGridProps<Row extends RowData> = Omit<
  GridProps<Row>,
  'columns' | 'rowKey' | 'edit' | 'end' | 'actions' | 'phone'
> & {
  inline: InlineEdit<Row>
  columns: readonly InlineColumn<Row>[]
  /** The verb on the edited row; 'Update' when none is given. */
  updateLabel?: string
  /** More buttons of a row, before Edit and Delete. */
  more?: (row: Row) => ReactNode
}

/** A grid whose rows are edited in place, one at a time: Enter updates, Escape cancels. */
export function InlineGrid<Row extends RowData>(props: InlineGridProps<Row>) {
  const { inline, columns, updateLabel = 'Update', more, ...grid } = props
  const { options, draft, isNew, errors } = inline
  const editable = columns.filter((column) => column.edit)

  const cells: Record<string, ReactNode> = {}
  if (draft)
    for (const column of editable)
      cells[column.id] = column.edit!({
        draft,
        set: inline.change,
        error: errors[column.id],
        autoFocus: column === editable[0],
      })

  return (
    <Grid<Row>
      framed
      noColumnChoice
      phone="scroll"
      {...grid}
      columns={columns}
      rowKey={options.rowKey}
      actionsWidth={props.actionsWidth ?? 224}
      edit={
        draft && {
          key: options.rowKey(draft),
          added: isNew ? draft : undefined,
          cells,
          onKeyDown: (event) => {
            if (event.key === 'Enter') {
              event.preventDefault()
              void inline.save()
            } else if (event.key === 'Escape') {
              event.preventDefault()
              event.stopPropagation()
              inline.stop()
            }
          },
          end: (
            <>
              <Button variant="subtle" color="gray" data-quiet size="xs" onClick={inline.stop}>
                Cancel <kbd className={classes.key}>Esc</kbd>
              </Button>
              <Button size="xs" loading={inline.isSaving} onClick={() => void inline.save()}>
                {updateLabel}
                <kbd className={classes.key}>
                  <IconCornerDownLeft size={12} aria-label="Enter" />
                </kbd>
              </Button>
            </>
          ),
        }
      }
      end={(row) => <RowEnd inline={inline} row={row} columns={columns} more={more?.(row)} />}
    />
  )
}

function RowEnd<Row extends RowData>(props: {
  inline: InlineEdit<Row>
  row: Row
  columns: readonly InlineColumn<Row>[]
  more?: ReactNode
}) {
  const { inline, row, columns, more } = props
  const { whyNotEdit, whyNotDelete, switches } = inline.options
  const isBlocked = inline.isEditing && !switches
  const named = columns.find((column) => column.identity) ?? columns.find((column) => column.edit)
  const name = named ? String((row as Record<string, unknown>)[named.id] ?? '') : ''
  return (
    <>
      {more}
      <Why reason={isBlocked ? 'One row is edited at a time' : whyNotEdit?.(row)}>
        <button
          type="button"
          className={classes.edit}
          onClick={() => inline.edit(row)}
          aria-label={`Edit ${name}`}
        >
          <IconPencil size={16} stroke={1.75} aria-hidden />
          <span className={classes.editWord}>Edit</span>
        </button>
      </Why>
      {inline.options.remove && (
        <Why reason={isBlocked ? 'One row is edited at a time' : whyNotDelete?.(row)}>
          <button
            type="button"
            className={`${gridClasses.iconButton} ${classes.delete}`}
            onClick={() => void inline.remove(row)}
            aria-label={`Delete ${name}`}
          >
            <IconTrash size={16} stroke={1.75} aria-hidden />
          </button>
        </Why>
      )}
    </>
  )
}

export type TextCellProps<Row> = {
  editor: CellEditor<Row>
  field: keyof Row & string
  label: string
  maxLength?: number
  /** 'number' asks phones for digits; the value stays text. */
  inputMode?: 'text' | 'numeric' | 'decimal'
}

/** A text field in a cell, with its error beneath: `edit: (editor) => <TextCell editor={editor} field="Name" … />`. */
export function TextCell<Row>({ editor, field, label, maxLength, inputMode }: TextCellProps<Row>) {
  const hasFocused = useRef(false)
  const errorId = `cell-error-${field}`
  return (
    <div>
      <input
        ref={(input) => {
          if (input && editor.autoFocus && !hasFocused.current) {
            hasFocused.current = true
            input.focus()
            input.select()
          }
        }}
        className={`${classes.input} p-halo`}
        aria-label={label}
        aria-invalid={editor.error ? true : undefined}
        aria-describedby={editor.error ? errorId : undefined}
        value={String(editor.draft[field] ?? '')}
        maxLength={maxLength}
        inputMode={inputMode}
        onChange={(event) => editor.set({ [field]: event.currentTarget.value } as Partial<Row>)}
      />
      {editor.error && (
        <div id={errorId} className={classes.error} role="alert">
          {editor.error}
        </div>
      )}
    </div>
  )
}
