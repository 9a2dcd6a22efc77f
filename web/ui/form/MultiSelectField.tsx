import { Combobox, InputBase } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import { useWords } from '#web/words/use-words.ts'
import { ChoiceDropdown } from '../choice/ChoiceDropdown.tsx'
import { namesOf } from '../choice/names.ts'
import { placing } from '../choice/placing.ts'
import { useChoice } from '../choice/use-choice.ts'
import { useEarlyLetters } from '../choice/use-early-letters.ts'
import type { OptionSource } from '../choice/use-options.ts'
import { inputProps, type LabeledField } from './field-parts.tsx'
import classes from './SelectField.module.css'
import { useFieldWork } from './unsaved.ts'

export type MultiSelectFieldProps = OptionSource &
  LabeledField<string[]> & {
    /** Names of chosen values that are not among `options`. */
    chosenLabels?: Record<string, string>
    placeholder?: string
    /** Most that may be chosen. */
    most?: number
  }

/** Several choices; up to three names are shown, then "N selected". */
export function MultiSelectField(given: MultiSelectFieldProps) {
  const props = useFieldWork(given)
  const words = useWords()
  const { text, setText, await: awaitLetters } = useEarlyLetters()
  const store = useChoice(() => setText(''))
  const value = props.value ?? []
  const names = namesOf(words, value, props.options, props.chosenLabels)
  props.onShow?.((chosen) =>
    Array.isArray(chosen) ? namesOf(words, chosen, props.options, props.chosenLabels) : undefined,
  )
  const mayChooseAll = props.options && props.most === undefined
  return (
    <Combobox
      middlewares={placing}
      store={store}
      withinPortal
      onOptionSubmit={(next) =>
        props.onChange(value.includes(next) ? value.filter((each) => each !== next) : [...value, next])
      }
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
          rightSectionPointerEvents="none"
          rightSection={<IconSelector size={16} stroke={1.75} aria-hidden />}
        >
          <span className={value.length > 0 ? classes.value : classes.placeholder} title={names}>
            {names || (props.placeholder ?? words('ui.choose'))}
          </span>
        </InputBase>
      </Combobox.Target>
      <ChoiceDropdown
        store={store}
        label={props.label}
        text={text}
        onText={setText}
        selected={new Set(value)}
        most={props.most}
        isMulti
        options={props.options}
        search={props.search}
        minLetters={props.minLetters}
        maxLetters={props.maxLetters}
        delay={props.delay}
        add={props.add}
        top={
          <div className={classes.top}>
            {mayChooseAll ? (
              <button
                type="button"
                onClick={() =>
                  // All can only be chosen from a list that is there.
                  props.onChange(props.options!.filter((each) => !each.reason).map((each) => each.value))
                }
              >
                {words('ui.all')}
              </button>
            ) : (
              <span />
            )}
            <button type="button" onClick={() => props.onChange([])}>
              {words('ui.clear')}
            </button>
          </div>
        }
      />
    </Combobox>
  )
}
