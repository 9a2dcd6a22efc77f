import { Combobox, InputBase } from '@mantine/core'
import { IconSelector, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useWords } from '#web/words/use-words.ts'
import { ChoiceDropdown } from '../choice/ChoiceDropdown.tsx'
import { placing } from '../choice/placing.ts'
import { useChoice } from '../choice/use-choice.ts'
import { useEarlyLetters } from '../choice/use-early-letters.ts'
import type { OptionSource } from '../choice/use-options.ts'
import { inputProps, type LabeledField } from './field-parts.tsx'
import classes from './SelectField.module.css'
import { useFieldWork } from './unsaved.ts'

export type SelectFieldProps = OptionSource &
  LabeledField<string | null> & {
    /** The name of the chosen value when it is not among `options` (a searched list). */
    chosenLabel?: string
    placeholder?: string
    /** May be emptied; not when `required`. */
    clearable?: boolean
  }

/** One choice. The list can be searched when it is long or comes from the server. */
export function SelectField(given: SelectFieldProps) {
  const props = useFieldWork(given)
  const words = useWords()
  const { text, setText, await: awaitLetters } = useEarlyLetters()
  const [found, setFound] = useState<string>()
  const store = useChoice(() => setText(''))
  const { value, onChange } = props
  const label =
    props.options?.find((option) => option.value === value)?.label ??
    (value ? (found ?? props.chosenLabel) : undefined)
  props.onShow?.((one) =>
    one === value ? label : props.options?.find((option) => option.value === one)?.label,
  )
  useNameOf(label === undefined ? value : null, props.search, setFound)
  const mayClear = (props.clearable ?? !props.required) && value && !props.lockedBecause
  return (
    <Combobox
      middlewares={placing}
      store={store}
      withinPortal
      onOptionSubmit={(next, option) => {
        onChange(next)
        setFound(textOfOption(option.children) ?? next)
        store.closeDropdown()
      }}
    >
      <Combobox.Target targetType="button" withExpandedAttribute>
        <InputBase
          {...inputProps(props)}
          component="button"
          type="button"
          role="combobox"
          aria-invalid={props.error ? true : undefined}
          pointer
          onClick={() => {
            if (!store.dropdownOpened) awaitLetters()
            store.toggleDropdown()
          }}
          rightSectionPointerEvents={mayClear ? 'all' : 'none'}
          rightSection={
            mayClear ? (
              <button
                type="button"
                className={classes.clear}
                aria-label={words('ui.clearField', { label: props.label })}
                onClick={() => onChange(null)}
              >
                <IconX size={16} stroke={1.75} aria-hidden />
              </button>
            ) : (
              <IconSelector size={16} stroke={1.75} aria-hidden />
            )
          }
        >
          <span className={value ? classes.value : classes.placeholder} title={label}>
            {value ? (label ?? (props.search ? '…' : value)) : (props.placeholder ?? words('ui.choose'))}
          </span>
        </InputBase>
      </Combobox.Target>
      <ChoiceDropdown
        store={store}
        label={props.label}
        text={text}
        onText={setText}
        selected={new Set(value ? [value] : [])}
        options={props.options}
        search={props.search}
        minLetters={props.minLetters}
        maxLetters={props.maxLetters}
        delay={props.delay}
        add={props.add}
      />
    </Combobox>
  )
}

/** How far a name is looked for before the value is left without one. */
const mostPages = 5

/** Finds the name of a value that came without it, as in a restored draft. */
const useNameOf = (
  value: string | null,
  search: OptionSource['search'],
  onFound: (label: string) => void,
): void => {
  const told = useRef(onFound)
  told.current = onFound
  useEffect(() => {
    if (!value || !search) return
    let isLeft = false
    const look = async (page: number): Promise<void> => {
      const { options, hasMore } = await search('', page)
      if (isLeft) return
      const label = options.find((option) => option.value === value)?.label
      if (label !== undefined) told.current(label)
      else if (hasMore && page + 1 < mostPages) await look(page + 1)
      else told.current(value)
    }
    look(0).catch(() => {})
    return () => {
      isLeft = true
    }
  }, [value, search])
}

/** The label an option was drawn with, so that a searched value keeps its name once the list is closed. */
function textOfOption(children: unknown): string | undefined {
  for (const child of Array.isArray(children) ? children : [children]) {
    const title = (child as { props?: { title?: unknown } } | null)?.props?.title
    if (typeof title === 'string') return title
  }
  return undefined
}
