import { Combobox } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { ChoiceDropdown } from '../choice/ChoiceDropdown.tsx'
import { placing } from '../choice/placing.ts'
import { useChoice } from '../choice/use-choice.ts'
import { type ChipContent, ChipTarget } from './Chip.tsx'
import type { SelectChipProps } from './select-chip-props.ts'

type ChipListProps = {
  select: SelectChipProps
  selected: readonly string[]
  chip: ChipContent
  /** What is searched for. */
  text: string
  onText: (text: string) => void
  /** Told when the chip is pressed. */
  onOpen: () => void
}

/** A filter's chip with its list, which opens at once: it takes the place of the chip that was pressed. */
export function ChipList({ select, selected, chip, text, onText, onOpen }: ChipListProps) {
  const store = useChoice(() => onText(''))
  const first = useRef(store)
  useEffect(() => {
    first.current.focusTarget()
    first.current.openDropdown()
  }, [])
  return (
    <Combobox
      middlewares={placing}
      store={store}
      withinPortal
      width={260}
      position="bottom-start"
      onOptionSubmit={(value) => {
        if (select.multi)
          select.onChange(
            select.value.includes(value)
              ? select.value.filter((each) => each !== value)
              : [...select.value, value],
          )
        else {
          select.onChange(value === select.value && !select.fixed ? null : value)
          store.closeDropdown()
        }
      }}
    >
      <Combobox.Target targetType="button" withExpandedAttribute>
        <ChipTarget
          {...chip}
          onOpen={() => {
            if (!store.dropdownOpened) onOpen()
            store.toggleDropdown()
          }}
        />
      </Combobox.Target>
      <ChoiceDropdown
        store={store}
        label={select.name}
        text={text}
        onText={onText}
        selected={new Set(selected)}
        isMulti={select.multi}
        most={select.multi ? select.most : undefined}
        options={select.options}
        search={select.search}
        minLetters={select.minLetters}
        maxLetters={select.maxLetters}
        delay={select.delay}
      />
    </Combobox>
  )
}
