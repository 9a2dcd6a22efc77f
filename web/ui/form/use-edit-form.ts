import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { plainWords } from '#web/words/plain-words.ts'
import { readDraft, writeDraft } from './drafts.ts'
import { differences, isSame, mergeValues } from './merge.ts'
import type { Rule } from './rules.ts'

/** A refusal of one field, as the server tells it. */
export type FieldError = { Field: string; Message: string }

/** Labels by field; also of the parts of a list in one: `Values.0.Label`. */
type FieldLabels<Values> = { [Field in keyof Values & string as Field | `${Field}.${string}`]?: string }

export type EditFormOptions<Values extends Record<string, unknown>> = {
  /**
   * What the fields hold at first. When it changes by value, somebody else has saved: fields without unsaved text follow, the
   * others keep their text, and the form says what is different.
   */
  initialValues: Values
  rules?: NoInfer<{ [Field in keyof Values]?: Rule<Values[Field], Values> }>
  /**
   * Saves. May answer with `FieldError[]`, or throw: an error that carries `Errors` or `errors` (`{Field, Message}[]`,
   * also inside `body`) marks the fields, any other leaves the text where it is and says so above it.
   */
  save: (values: Values) => Promise<unknown>
  /** For failures that are shown in their own way: true when it has done so. */
  onFailure?: (error: unknown) => boolean
  /** Keeps unsaved text in the tab under this name, so that a reload or a lost connection costs nothing. */
  draftKey?: string
  /** Names of the address that tell which thing is edited; `id` unless given. */
  addressKeys?: readonly string[]
  /** Names for the summary: Field → label. Fields on the screen tell theirs by themselves. */
  labels?: FieldLabels<Values>
}

/** What somebody else has saved since the form was opened. */
export type TheirChanges<Values> = {
  /** Who and when, where the server knows. */
  by?: string | undefined
  at?: string | undefined
  /** Fields whose saved value is not the one on the screen's start; with `mine` where it was typed over here too, and one of both is chosen. */
  fields: {
    name: keyof Values & string
    theirs: Values[keyof Values]
    mine?: { value: Values[keyof Values]; isChosen: boolean }
    by?: string | undefined
    at?: string | undefined
  }[]
}

export type EditForm<Values extends Record<string, unknown>> = {
  values: Values
  errors: Record<string, string>
  /** A sentence about the whole form, when saving failed. */
  failure: string | undefined
  /** The same text may be saved by another try: the server did not answer, failed, or was busy. */
  mayTryAgain: boolean
  /** Set while somebody else's changes are to be looked at. */
  theirs: TheirChanges<Values> | undefined
  /** What a field shows for a value, where it is not the value itself. */
  textOf: (name: string, value: unknown) => string | undefined
  /** Fields that differ from what was saved. */
  changed: (keyof Values & string)[]
  isSaving: boolean
  /** The text of an earlier visit was put back. */
  isDraft: boolean
  /** Counts refusals, so that the summary takes the focus each time. */
  refusals: number
  labels: FieldLabels<Values>
  hasDraft: boolean
  addressKeys: readonly string[]
  field: <Field extends keyof Values & string>(name: Field) => FieldProps<Values[Field]>
  set: <Field extends keyof Values & string>(name: Field, value: Values[Field]) => void
  /** Checks the rules and shows what is wrong; true when nothing is. */
  check: () => boolean
  /** Checks and saves; true when it was saved. */
  submit: () => Promise<boolean>
  /** Back to what was saved; the draft goes too. */
  reset: () => void
  /** Other values in all fields, as if they had been saved. */
  restart: (values: Values) => void
  /** Lets the next step leave the form without a question, as after deleting what it edits. */
  release: () => void
  /** `Form` puts here what tells the guard that nothing is unsaved any longer. */
  onSettled: { current: () => void }
}

/** What every field component takes: `<TextField label="Name" {...form.field('Name')} />`. */
export type FieldProps<Value> = {
  name: string
  value: Value
  onChange: (value: Value) => void
  onBlur?: () => void
  /** Told how the field shows a value that is not its text, such as the name of an option. */
  onShow?: (textOf: (value: unknown) => string | undefined) => void
  /** Told while the typed text cannot be read, such as half a date: the form does not save something else instead. */
  onProblem?: (message: string | null) => void
  error?: string
}

/** The id of a field's control, so that the summary can link to it. */
export const fieldId = (name: string) => `field-${name}`

/** Finds `{Field, Message}[]` in whatever a call threw. */
export function fieldErrorsOf(error: unknown): FieldError[] {
  if (typeof error !== 'object' || error === null) return []
  const holder = error as { Errors?: unknown; errors?: unknown; body?: unknown }
  for (const list of [holder.Errors, holder.errors])
    if (Array.isArray(list)) return list.filter((each) => typeof each?.Field === 'string')
  return holder.body ? fieldErrorsOf(holder.body) : []
}

/** The value that a refusal is about; of `Values.0.Label` the whole of `Values`. */
const valueAt = (values: Record<string, unknown>, name: string): unknown => values[name.split('.')[0]!]

type ChangeTold = { ChangedBy?: string | null; ChangedAt?: string | null }
type CallBody = ChangeTold & { Code?: string; Fields?: readonly (ChangeTold & { Field: string })[] }
const changeIn = ({ ChangedBy, ChangedAt }: ChangeTold) => ({
  by: ChangedBy ?? undefined,
  at: ChangedAt ?? undefined,
})
const bodyOf = (error: unknown): CallBody => (error as { body?: CallBody } | null)?.body ?? {}

/** The server did not answer (0), failed, or asks to come later. Any other no, its own or the screen's, would come again. */
const mayPass = (error: unknown): boolean => {
  const { status } = error as { status?: number }
  return status !== undefined && (status === 0 || status === 408 || status === 429 || status >= 500)
}

/** The state of a form that edits one thing: values, rules, what is unsaved, saving, drafts, other people's changes. */
export function useEditForm<Values extends Record<string, unknown>>(
  options: EditFormOptions<Values>,
): EditForm<Values> {
  type Name = keyof Values & string
  const rules: NonNullable<EditFormOptions<Values>['rules']> = options.rules ?? {}
  const { initialValues, save, draftKey, addressKeys = ['id'], labels = {} } = options
  const [start] = useState(() => {
    const draft = readDraft(draftKey)
    if (!draft) return { values: initialValues, base: initialValues }
    return {
      values: { ...initialValues, ...draft.mine } as Values,
      base: { ...initialValues, ...draft.base } as Values,
    }
  })
  const [values, setValues] = useState(start.values)
  const [saved, setSaved] = useState(initialValues)
  const [isDraft, setIsDraft] = useState(!isSame(start.values, initialValues))
  const [theirNames, setTheirNames] = useState<Name[]>(() => differences(initialValues, start.base))
  const [mine, setMine] = useState<Partial<Values>>(() => {
    const typed = differences(start.values, start.base).map((name) => [name, start.values[name]])
    return Object.fromEntries(typed)
  })
  const [change, setChange] = useState<CallBody>()
  const [failure, setFailure] = useState<string>()
  const [mayTryAgain, setMayTryAgain] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const [isChecked, setChecked] = useState(false)
  const [refused, setRefused] = useState<Record<string, { value: unknown; message: string }>>({})
  const [refusals, setRefusals] = useState(0)
  const onSettled = useRef(() => {})
  const changed = differences(values, saved)

  const now = useRef({ values, saved })
  now.current = { values, saved }
  const initialText = JSON.stringify(initialValues)
  const lastInitial = useRef(initialText)
  useEffect(() => {
    if (lastInitial.current === initialText) return
    lastInitial.current = initialText
    const next = JSON.parse(initialText) as Values
    const before = now.current
    const merged = mergeValues(before.saved, before.values, next)
    setSaved(next)
    setValues(merged.values)
    const touched = differences(before.values, before.saved)
    if (touched.length === 0) return
    setTheirNames((names) => [...new Set([...names, ...merged.theirChanges])])
    setMine((typed) => ({
      ...typed,
      ...Object.fromEntries(touched.map((name) => [name, merged.values[name]])),
    }))
  }, [initialText])

  const draftText = JSON.stringify([values, saved])
  useEffect(() => {
    const [typed, base] = JSON.parse(draftText) as [Values, Values]
    writeDraft(draftKey, typed, base, differences(typed, base))
  }, [draftKey, draftText])

  const texts = useRef<Record<string, (value: unknown) => string | undefined>>({})
  const problems = useRef<Record<string, string>>({})
  const broken = (): Record<string, string> => {
    const found: Record<string, string> = { ...problems.current }
    for (const name of Object.keys(rules) as Name[]) {
      const message = rules[name]?.(values[name], values)
      if (message) found[name] ??= message
    }
    return found
  }
  const errors = isChecked ? broken() : {}
  for (const [name, { value, message }] of Object.entries(refused))
    if (isSame(valueAt(values, name), value)) errors[name] ??= message

  const set = useCallback(<Field extends Name>(name: Field, value: Values[Field]) => {
    setValues((before) => ({ ...before, [name]: value }))
  }, [])
  const refuse = () => setRefusals((count) => count + 1)
  const refuseFields = (list: readonly FieldError[]) => {
    setRefused(
      Object.fromEntries(
        list.map(({ Field, Message }) => [Field, { value: valueAt(values, Field), message: Message }]),
      ),
    )
    refuse()
  }
  const settle = (next: Values) => {
    setSaved(next)
    setIsDraft(false)
    setTheirNames([])
    setMine({})
    setChange(undefined)
    setFailure(undefined)
    setRefused({})
    setChecked(false)
    writeDraft(draftKey, next, next, [])
    onSettled.current()
  }
  const check = () => {
    setChecked(true)
    if (Object.keys(broken()).length === 0) return true
    refuse()
    return false
  }

  const submit = async () => {
    if (isSaving) return false
    setFailure(undefined)
    setRefused({})
    if (!check()) return false
    setSaving(true)
    try {
      const answer = await save(values)
      const list = Array.isArray(answer) ? fieldErrorsOf({ errors: answer }) : []
      if (list.length > 0) {
        refuseFields(list)
        return false
      }
      settle(values)
      return true
    } catch (error) {
      const body = bodyOf(error)
      const list = fieldErrorsOf(error)
      if (body.Code === 'stale') setChange(body)
      if (list.length > 0) refuseFields(list)
      else if (body.Code === 'stale' || !options.onFailure?.(error)) {
        setFailure((error instanceof Error && error.message) || plainWords('ui.wentWrong'))
        setMayTryAgain(mayPass(error))
        refuse()
      }
      return false
    } finally {
      setSaving(false)
    }
  }

  const theirs = useMemo<TheirChanges<Values> | undefined>(() => {
    const fields = theirNames.flatMap((name) => {
      const isChosen = !isSame(values[name], saved[name])
      const value = isChosen ? values[name] : mine[name]
      const isMineToo = name in mine && !isSame(value, saved[name])
      if (!isMineToo && !change) return []
      const told = change?.Fields?.find(({ Field }) => Field === name) ?? change
      return [
        {
          name,
          theirs: saved[name],
          // Of the field's own kind: it was in the field.
          ...(isMineToo && { mine: { value: value as Values[Name], isChosen } }),
          ...(told && changeIn(told)),
        },
      ]
    })
    return change || fields.length > 0 ? { ...(change && changeIn(change)), fields } : undefined
  }, [theirNames, mine, change, values, saved])

  return {
    values,
    errors,
    failure: change ? undefined : failure,
    mayTryAgain,
    theirs,
    textOf: (name, value) => texts.current[name]?.(value),
    changed,
    isSaving,
    isDraft,
    refusals,
    labels,
    hasDraft: draftKey !== undefined,
    addressKeys,
    field: (name) => ({
      name,
      value: values[name],
      onChange: (value) => set(name, value),
      onShow: (textOf) => {
        texts.current[name] = textOf
      },
      onProblem: (message) => {
        if (message) problems.current[name] = message
        else delete problems.current[name]
      },
      error: errors[name],
    }),
    set,
    check,
    submit,
    reset: () => {
      setValues(saved)
      settle(saved)
    },
    restart: (next) => {
      setValues(next)
      settle(next)
    },
    release: () => onSettled.current(),
    onSettled,
  }
}
