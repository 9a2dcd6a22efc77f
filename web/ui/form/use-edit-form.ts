import { type UseFormReturnType, useForm } from '@mantine/form'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Rule } from './rules.ts'

/** A refusal of one field, as the server tells it. */
export type FieldError = { Field: string; Message: string }

export type EditFormOptions<Values extends Record<string, unknown>> = {
  /** What the fields hold at first; when it changes by value and nothing is unsaved, the form follows. */
  initialValues: Values
  rules?: { [Field in keyof Values]?: Rule<never, Values> }
  /**
   * Saves. May answer with `FieldError[]`, or throw: an error that carries `Errors` or `errors` (`{Field, Message}[]`,
   * also inside `body`) marks the fields, any other leaves the text where it is and says so above it.
   */
  save: (values: Values) => Promise<unknown>
  /** Keeps unsaved text in the tab under this name, so that a reload or a lost connection costs nothing. */
  draftKey?: string
  /** Names for the summary: Field → label. Fields on the screen tell theirs by themselves. */
  labels?: { [Field in keyof Values]?: string }
}

export type EditForm<Values extends Record<string, unknown>> = {
  mantine: UseFormReturnType<Values>
  values: Values
  errors: Record<string, string>
  /** A sentence about the whole form, when saving failed. */
  failure: string | undefined
  /** Fields that differ from what was saved. */
  changed: (keyof Values & string)[]
  isSaving: boolean
  /** The text of an earlier visit was put back. */
  isDraft: boolean
  /** Counts refusals, so that the summary takes the focus each time. */
  refusals: number
  labels: { [Field in keyof Values]?: string }
  field: <Field extends keyof Values & string>(name: Field) => FieldProps<Values[Field]>
  set: <Field extends keyof Values & string>(name: Field, value: Values[Field]) => void
  /** Checks and saves; true when it was saved. */
  submit: () => Promise<boolean>
  /** Back to what was saved; the draft goes too. */
  reset: () => void
}

/** What every field component takes: `<TextField label="Name" {...form.field('Name')} />`. */
export type FieldProps<Value> = {
  name: string
  value: Value
  onChange: (value: Value) => void
  onBlur?: () => void
  error?: string
}

/** The id of a field's control, so that the summary can link to it. */
export const fieldId = (name: string) => `field-${name}`

const draftStorageKey = (key: string) => `draft:${key}`

function readDraft<Values>(key: string | undefined): Partial<Values> | undefined {
  if (!key) return undefined
  try {
    const text = sessionStorage.getItem(draftStorageKey(key))
    return text ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}

function writeDraft(key: string | undefined, values: unknown) {
  if (!key) return
  try {
    if (values === undefined) sessionStorage.removeItem(draftStorageKey(key))
    else sessionStorage.setItem(draftStorageKey(key), JSON.stringify(values))
  } catch {
    // Without storage the text still stands on the screen.
  }
}

const same = (a: unknown, b: unknown) => a === b || JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/** Finds `{Field, Message}[]` in whatever a call threw. */
export function fieldErrorsOf(error: unknown): FieldError[] {
  if (typeof error !== 'object' || error === null) return []
  const holder = error as { Errors?: unknown; errors?: unknown; body?: unknown }
  for (const list of [holder.Errors, holder.errors])
    if (Array.isArray(list)) return list.filter((each) => typeof each?.Field === 'string')
  return holder.body ? fieldErrorsOf(holder.body) : []
}

/** The state of a form that edits one thing: values, rules, what is unsaved, saving, drafts. */
export function useEditForm<Values extends Record<string, unknown>>(
  options: EditFormOptions<Values>,
): EditForm<Values> {
  const { initialValues, rules = {}, save, draftKey, labels = {} } = options
  const [draft] = useState(() => readDraft<Values>(draftKey))
  const [saved, setSaved] = useState(initialValues)
  const [failure, setFailure] = useState<string>()
  const [isSaving, setSaving] = useState(false)
  const [refusals, setRefusals] = useState(0)
  const [isDraft, setIsDraft] = useState(draft !== undefined)
  const mantine = useForm<Values>({
    mode: 'controlled',
    initialValues: { ...initialValues, ...draft },
    validate: rules as never,
  })
  const { values } = mantine
  const names = Object.keys(values) as (keyof Values & string)[]
  const changed = names.filter((name) => !same(values[name], saved[name]))
  const isChanged = changed.length > 0

  const initialText = JSON.stringify(initialValues)
  const lastInitial = useRef(initialText)
  useEffect(() => {
    if (lastInitial.current === initialText) return
    lastInitial.current = initialText
    const next = JSON.parse(initialText) as Values
    setSaved(next)
    if (!isChanged) mantine.setValues(next)
  }, [initialText, isChanged, mantine.setValues])

  const valuesText = JSON.stringify(values)
  useEffect(() => {
    writeDraft(draftKey, isChanged ? JSON.parse(valuesText) : undefined)
  }, [draftKey, isChanged, valuesText])

  const refuse = useCallback(
    (errors: FieldError[]) => {
      mantine.setErrors(Object.fromEntries(errors.map((each) => [each.Field, each.Message])))
      setRefusals((count) => count + 1)
    },
    [mantine.setErrors],
  )

  const submit = async () => {
    if (isSaving) return false
    setFailure(undefined)
    const checked = await mantine.validate()
    if (checked.hasErrors) {
      setRefusals((count) => count + 1)
      return false
    }
    setSaving(true)
    try {
      const answer = await save(values)
      const errors = Array.isArray(answer) ? fieldErrorsOf({ errors: answer }) : []
      if (errors.length > 0) {
        refuse(errors)
        return false
      }
      setSaved(values)
      setIsDraft(false)
      writeDraft(draftKey, undefined)
      return true
    } catch (error) {
      const errors = fieldErrorsOf(error)
      if (errors.length > 0) refuse(errors)
      else {
        const reason = error instanceof Error && error.message ? error.message : 'The server did not answer.'
        setFailure(`Nothing was saved: ${reason} Your text is still here.`)
        setRefusals((count) => count + 1)
      }
      return false
    } finally {
      setSaving(false)
    }
  }

  const errors = useMemo(
    () =>
      Object.fromEntries(
        Object.entries(mantine.errors).flatMap(([name, text]) => (text ? [[name, String(text)]] : [])),
      ),
    [mantine.errors],
  )

  return {
    mantine: mantine as unknown as UseFormReturnType<Values>,
    values,
    errors,
    failure,
    changed,
    isSaving,
    isDraft,
    refusals,
    labels,
    field: (name) => {
      return {
        name,
        value: values[name],
        onChange: (value) => mantine.setFieldValue(name as never, value as never),
        // What the server refused stays told until the value changes; the rules here know nothing of it.
        onBlur: () => {
          if (!errors[name]) void mantine.validateField(name as never)
        },
        error: errors[name],
      }
    },
    set: (name, value) => mantine.setFieldValue(name as never, value as never),
    submit,
    reset: () => {
      mantine.setValues(saved)
      mantine.clearErrors()
      setFailure(undefined)
      setIsDraft(false)
      writeDraft(draftKey, undefined)
    },
  }
}
