import { Combobox } from '@mantine/core'
import { useState } from 'react'
import { useWords } from '#web/words/use-words.ts'
import { ChoiceDropdown, namesOf } from '../choice/ChoiceDropdown.tsx'
import { useChoice } from '../choice/use-choice.ts'
import type { OptionSource } from '../choice/use-options.ts'
import { ChipTarget } from './Chip.tsx'

type Common = OptionSource & {
  /** The filter's name, shown before the value. */
  name: string
  /** What is there when nothing is chosen: 'All', 'Any'. */
  none?: string
  /** Names of chosen values that are not among `options`. */
  chosenLabels?: Record<string, string>
  /** Without ×: one value always counts (Status Pending). */
  fixed?: boolean
}

export type SelectChipProps = Common &
  (
    | { multi?: false; value: string | null; onChange: (value: string | null) => void }
    | { multi: true; value: string[]; onChange: (value: string[]) => void; most?: number }
  )

/** A filter by one or several options, with search when there are many. */
export function SelectChip(props: SelectChipProps) {
  const words = useWords()
  const [text, setText] = useState('')
  const store = useChoice(() => setText(''))
  const selected = props.multi ? props.value : props.value === null ? [] : [props.value]
  const names = namesOf(words, selected, props.options, props.chosenLabels)
  return (
    <Combobox
      store={store}
      withinPortal
      width={260}
      position="bottom-start"
      onOptionSubmit={(value) => {
        if (props.multi)
          props.onChange(
            props.value.includes(value)
              ? props.value.filter((each) => each !== value)
              : [...props.value, value],
          )
        else {
          props.onChange(value === props.value && !props.fixed ? null : value)
          store.closeDropdown()
        }
      }}
    >
      <Combobox.Target targetType="button" withExpandedAttribute>
        <ChipTarget
          name={props.name}
          value={names || (props.none ?? words('ui.all'))}
          isSet={selected.length > 0}
          onClear={props.fixed ? undefined : () => (props.multi ? props.onChange([]) : props.onChange(null))}
          onOpen={() => store.toggleDropdown()}
        />
      </Combobox.Target>
      <ChoiceDropdown
        store={store}
        label={props.name}
        text={text}
        onText={setText}
        selected={new Set(selected)}
        isMulti={props.multi}
        most={props.multi ? props.most : undefined}
        options={props.options}
        search={props.search}
        minLetters={props.minLetters}
        maxLetters={props.maxLetters}
        delay={props.delay}
      />
    </Combobox>
  )
}
