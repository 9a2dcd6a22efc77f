import { Button } from '@mantine/core'
import { IconAlertTriangle, IconCornerDownLeft, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import type { RowData } from '@tanstack/react-table'
import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react'
import { CallError, logFailure } from '#web/api/call.ts'
import { plainWords } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { attempt } from '../attempt.ts'
import { confirm } from '../confirm.ts'
import { Dialog } from '../Dialog.tsx'
import { DisabledReason } from '../DisabledReason.tsx'
import { escapeClosesFloat } from '../escape.ts'
import { differences, mergeValues } from '../form/merge.ts'
import { shownText } from '../form/shown-text.ts'
import { askToLeave, useUnsaved } from '../form/unsaved.ts'
import { fieldErrorsOf } from '../form/use-edit-form.ts'
import { LeaveButton } from '../LeaveButton.tsx'
import { toast } from '../toast.tsx'
import { useIsPhone } from '../use-is-phone.ts'
import gridClasses from './Grid.module.css'
import { Grid } from './Grid.tsx'
import type { GridColumn, GridProps, RowKey } from './grid-types.ts'
import classes from './InlineGrid.module.css'

/** What an edited cell gets. */
export type CellEditor<Row> = {
  draft: Row
  set: (change: Partial<Row>) => void
  error?: string
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
  /** Saves; throws to refuse (`Errors: {Field, Message}[]` mark their cells). `original` is the row as it was read. */
  save: (draft: Row, isNew: boolean, original: Row) => Promise<unknown>
  /** Deletes; with `question` it asks first, with `undo` it offers to bring the row back. */
  remove?: (row: Row) => Promise<unknown>
  question?: (row: Row) => string
  undo?: (row: Row) => Promise<unknown>
  /** What the toast says after deleting: Deleted “Medical Assisting”. */
  deleted?: (row: Row) => string
  /** Asked before a row is saved; it goes on being edited when the answer is no. */
  saveQuestion?: (row: Row) => string
  /** What is asked of the server before an existing row is saved or deleted; false leaves everything as it is. */
  isWanted?: (row: Row, act: 'save' | 'remove') => Promise<boolean>
  /** Starting an edit closes the one under way without saving; otherwise that one has to be ended first. */
  switches?: boolean
  /** Why this row cannot be edited or deleted; the button stays and says so. */
  whyNotEdit?: (row: Row) => string | undefined | false
  whyNotDelete?: (row: Row) => string | undefined | false
  /**
   * For failures that the specification wants logged and marked at the row, not told: `log` names the work on the console,
   * `text` is the sign's tooltip. Refusals with one of the statuses `tells` are shown all the same; 409 unless given.
   */
  marks?: { log: string; text: string; tells?: readonly number[] }
  /** For failures that are shown in their own way; returns true when it has done so. */
  onFailure?: (error: unknown, row: Row) => boolean
}

/** The state of an inline edit; give it to `AddNew` (in the page's actions) and to `InlineGrid`. */
export function useInlineEdit<Row extends RowData & object>(options: InlineEditOptions<Row>) {
  const words = useWords()
  const [draft, setDraft] = useState<Row>()
  const [original, setOriginal] = useState<Row>()
  const [isNew, setNew] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [notice, setNotice] = useState<{ text: string; fields: readonly string[] }>()
  const [failed, setFailed] = useState<ReadonlySet<RowKey>>(new Set())

  const changedCount =
    draft && original ? differences(draft as object as Values, original as object as Values).length : 0
  const settled = useUnsaved({ count: changedCount, hasDraft: false, keys: [] })

  const mark = (row: Row, hasFailed: boolean) => {
    const key = options.rowKey(row)
    setFailed((keys) => new Set(hasFailed ? [...keys, key] : [...keys].filter((each) => each !== key)))
  }
  const start = (row: Row | undefined, asNew: boolean) => {
    setDraft(row)
    setOriginal(row)
    setNew(asNew)
    setErrors({})
    setNotice(undefined)
  }
  const stop = () => {
    if (draft) mark(draft, false)
    settled()
    start(undefined, false)
  }
  const fail = (error: unknown, row: Row, text: string) => {
    const { marks } = options
    const status = error instanceof CallError ? error.status : 0
    if (marks) {
      logFailure(marks.log, error)
      mark(row, true)
      if (!(marks.tells ?? [409]).includes(status)) return
    }
    if (options.onFailure?.(error, row)) return
    toast.error({ title: text, detail: error instanceof Error ? error.message : undefined })
  }
  return {
    options,
    draft,
    isNew,
    isSaving,
    errors,
    /** What somebody else did to the edited row. */
    notice,
    failed,
    isEditing: draft !== undefined,
    add: () => start(options.blank?.(), true),
    edit: (row: Row) => start(row, false),
    change: (part: Partial<Row>) => setDraft((before) => (before ? { ...before, ...part } : before)),
    stop,
    /** Ends the edit; asks first when something was typed. */
    leave: async () => {
      if (changedCount === 0 || (await askToLeave(words, [{ count: changedCount, hasDraft: false }]))) stop()
    },
    /** The row was read again: what was not touched follows, the edit goes on. */
    rebase: (fresh: Row) => {
      if (!draft || !original) return
      const merged = mergeValues(
        original as object as Values,
        draft as object as Values,
        fresh as object as Values,
      )
      setOriginal(fresh)
      setDraft(merged.values as Row)
    },
    /** Puts what was saved into a field. */
    take: (field: string) =>
      setDraft((before) =>
        before && original ? { ...before, [field]: (original as Values)[field] } : before,
      ),
    original,
    save: async () => {
      if (!draft || isSaving) return
      const problems = options.check?.(draft) ?? {}
      setErrors(problems)
      if (Object.keys(problems).length > 0) return
      const question = options.saveQuestion?.(draft)
      if (question && !(await confirm({ text: question, verb: words('ui.save') }))) return
      setSaving(true)
      try {
        if (!isNew && options.isWanted && !(await options.isWanted(draft, 'save'))) return
        await options.save(draft, isNew, original ?? draft)
        stop()
      } catch (error) {
        const refused = fieldErrorsOf(error)
        if (error instanceof CallError && error.code === 'stale') {
          const fields = (error.body.Fields ?? []) as { Field: string }[]
          setNotice({ text: error.message, fields: fields.map(({ Field }) => Field) })
        } else if (refused.length > 0)
          setErrors(Object.fromEntries(refused.map((each) => [each.Field, each.Message])))
        else fail(error, draft, words('ui.notSaved'))
      } finally {
        setSaving(false)
      }
    },
    remove: async (row: Row) => {
      const { question, undo, deleted } = options
      if (question && !(await confirm({ text: question(row), verb: words('ui.delete'), danger: true })))
        return
      try {
        if (options.isWanted && !(await options.isWanted(row, 'remove'))) return
        await options.remove?.(row)
        mark(row, false)
        if (undo)
          toast.done({
            title: deleted?.(row) ?? words('ui.deleted'),
            undo: () => void attempt(() => undo(row)),
          })
        else if (deleted) toast.done(deleted(row))
      } catch (error) {
        fail(error, row, words('ui.notDeleted'))
      }
    },
  }
}

type Values = Record<string, unknown>

export type InlineEdit<Row extends RowData & object> = ReturnType<typeof useInlineEdit<Row>>

/** The page's filled button; while a row is edited it waits and says why. */
export function AddNew<Row extends RowData & object>(props: {
  inline: InlineEdit<Row>
  label?: string
  reason?: string | false
}) {
  const { inline } = props
  const words = useWords()
  return (
    <DisabledReason reason={inline.isEditing ? words('ui.finishRow') : props.reason}>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={inline.add}>
        {props.label ?? words('ui.addNew')}
      </Button>
    </DisabledReason>
  )
}

export type InlineGridProps<Row extends RowData & object> = Omit<
  GridProps<Row>,
  'columns' | 'rowKey' | 'edit' | 'end' | 'actions'
> & {
  inline: InlineEdit<Row>
  columns: readonly InlineColumn<Row>[]
  /** The verb on the edited row; 'Update' when none is given. */
  updateLabel?: string
  /** More buttons of a row, before Edit and Delete. */
  more?: (row: Row) => ReactNode
}

const typed = 'input:not([type=button]), select'

/**
 * A grid whose rows are edited in place, one at a time: Enter in a field updates, Escape cancels. On phones the row opens in a
 * sheet, its fields one below the other.
 */
export function InlineGrid<Row extends RowData & object>(props: InlineGridProps<Row>) {
  const { inline, columns, more, ...grid } = props
  const { options, draft, original, isNew, errors, failed } = inline
  const words = useWords()
  const isPhone = useIsPhone()
  const frame = useRef<HTMLDivElement>(null)
  const updateLabel = props.updateLabel ?? words('ui.update')
  const editable = columns.filter((column) => column.edit)
  const key = draft && options.rowKey(draft)

  const fresh = !isNew && draft ? grid.rows?.find((row) => options.rowKey(row) === key) : undefined
  useEffect(() => {
    if (
      fresh &&
      original &&
      fresh !== original &&
      differences(fresh as object as Values, original as object as Values).length > 0
    )
      inline.rebase(fresh)
  }, [fresh, original, inline.rebase])

  // The first field takes the focus, whichever column has it.
  useEffect(() => {
    if (key === undefined || isPhone) return
    const field = frame.current?.querySelector<HTMLInputElement>(
      `tr[data-edited] :is(${typed}, textarea, button):not(:disabled)`,
    )
    field?.focus()
    if (field instanceof HTMLInputElement) field.select()
  }, [key, isPhone])

  const cells: Record<string, ReactNode> = {}
  if (draft)
    // `editable` are the columns that have it.
    for (const column of editable)
      cells[column.id] = column.edit!({ draft, set: inline.change, error: errors[column.id] })

  const isMarked = key !== undefined && failed.has(key)
  const sign = isMarked && (
    <span className={classes.sign} role="img" aria-label={options.marks?.text} title={options.marks?.text}>
      <IconAlertTriangle size={16} aria-hidden />
    </span>
  )
  const theirs = (field: string): string | undefined =>
    shownText(words, (original as Values | undefined)?.[field])
  const notice = inline.notice && (
    <span className={classes.notice} role="alert">
      {inline.notice.text}
      {editable
        .filter(({ id }) => inline.notice?.fields.includes(id))
        .map(({ id, header }) => {
          const value = theirs(id)
          const label = String(header)
          return (
            <Fragment key={id}>
              {' '}
              {value === undefined
                ? words('ui.fieldChanged', { label })
                : words('ui.fieldNow', { label, value })}
              .{' '}
              <button type="button" onClick={() => inline.take(id)}>
                {words('ui.takeTheirs')}
              </button>
            </Fragment>
          )
        })}
    </span>
  )
  const onKeyDown = (event: KeyPress) => {
    if (event.key === 'Enter' && (event.target as Element).matches?.(typed)) {
      event.preventDefault()
      void inline.save()
    } else if (event.key === 'Escape' && !escapeClosesFloat()) {
      event.preventDefault()
      event.stopPropagation()
      void inline.leave()
    }
  }

  return (
    <div ref={frame} className={classes.frame}>
      {!isPhone && notice}
      <Grid<Row>
        framed
        noColumnChoice
        {...grid}
        warning={(row) => (failed.has(options.rowKey(row)) ? options.marks?.text : grid.warning?.(row))}
        columns={columns}
        rowKey={options.rowKey}
        actionsWidth={props.actionsWidth ?? 224}
        edit={
          draft && !isPhone
            ? {
                key: options.rowKey(draft),
                added: isNew ? draft : undefined,
                cells,
                onKeyDown,
                end: (
                  <>
                    {sign}
                    <Button variant="subtle" color="gray" data-quiet size="xs" onClick={inline.stop}>
                      {words('ui.cancel')} <kbd className={classes.key}>Esc</kbd>
                    </Button>
                    <Button size="xs" loading={inline.isSaving} onClick={() => void inline.save()}>
                      {updateLabel}
                      <kbd className={classes.key}>
                        <IconCornerDownLeft size={12} aria-label={plainWords('ui.enterKey')} />
                      </kbd>
                    </Button>
                  </>
                ),
              }
            : undefined
        }
        end={(row) => <RowEnd inline={inline} row={row} columns={columns} more={more?.(row)} />}
      />
      {draft && isPhone && (
        <Dialog
          opened
          onClose={() => void inline.leave()}
          title={isNew ? words('ui.addTitle') : words('ui.editTitle')}
          stayOnOutsideClick
          // The row asks for itself.
          losesNothing
          actions={
            <>
              <LeaveButton onClick={() => void inline.leave()} />
              <Button loading={inline.isSaving} onClick={() => void inline.save()}>
                {updateLabel}
              </Button>
            </>
          }
        >
          {(notice || sign) && (
            <p className={classes.sheetNotice}>
              {notice || (
                <>
                  {sign} {options.marks?.text}
                </>
              )}
            </p>
          )}
          <form
            className={classes.sheet}
            noValidate
            onSubmit={(event) => {
              event.preventDefault()
              event.stopPropagation()
              void inline.save()
            }}
          >
            {editable.map((column) => (
              <div key={column.id}>
                <div className={classes.sheetLabel} aria-hidden>
                  {column.header}
                </div>
                {cells[column.id]}
              </div>
            ))}
            <button type="submit" hidden aria-hidden tabIndex={-1} />
          </form>
        </Dialog>
      )}
    </div>
  )
}

type KeyPress = { key: string; target: EventTarget; preventDefault: () => void; stopPropagation: () => void }

function RowEnd<Row extends RowData & object>(props: {
  inline: InlineEdit<Row>
  row: Row
  columns: readonly InlineColumn<Row>[]
  more?: ReactNode
}) {
  const { inline, row, columns, more } = props
  const words = useWords()
  const { whyNotEdit, whyNotDelete, switches } = inline.options
  const isBlocked = inline.isEditing && !switches
  const named = columns.find((column) => column.identity) ?? columns.find((column) => column.edit)
  const name = named ? String((row as Record<string, unknown>)[named.id] ?? '') : ''
  return (
    <>
      {more}
      <DisabledReason reason={isBlocked ? words('ui.finishRow') : whyNotEdit?.(row)}>
        <button
          type="button"
          className={classes.edit}
          onClick={() => inline.edit(row)}
          aria-label={words('ui.editRow', { name })}
        >
          <IconPencil size={16} stroke={1.75} aria-hidden />
          <span className={classes.editWord}>{words('ui.edit')}</span>
        </button>
      </DisabledReason>
      {inline.options.remove && (
        <DisabledReason reason={isBlocked ? words('ui.finishRow') : whyNotDelete?.(row)}>
          <button
            type="button"
            className={`${gridClasses.iconButton} ${classes.delete}`}
            onClick={() => void inline.remove(row)}
            aria-label={words('ui.deleteRow', { name })}
          >
            <IconTrash size={16} stroke={1.75} aria-hidden />
          </button>
        </DisabledReason>
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
  const errorId = `cell-error-${field}`
  return (
    <div>
      <input
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
