import { Combobox } from '@mantine/core'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { ChoiceDropdown } from '../choice/ChoiceDropdown.tsx'
import { useChoice } from '../choice/use-choice.ts'
import { isSearched } from '../choice/use-options.ts'
import { type ChipContent, ChipTarget, isForSearch } from './Chip.tsx'
import type { SelectChipProps } from './SelectChip.tsx'

type ChipListProps = {
  select: SelectChipProps
  selected: readonly string[]
  chip: ChipContent
  /** What was typed while the list was on its way. */
  typed: string
}

/** A filter's chip with its list, which opens at once: it takes the place of the chip that was pressed. */
export function ChipList({ select, selected, chip, typed }: ChipListProps) {
  const [text, setText] = useState(typed)
  const store = useChoice(() => setText(''))
  const first = useRef(store)
  useEffect(() => {
    first.current.focusTarget()
    first.current.openDropdown()
  }, [])
  /** Letters that come before the search has the focus. */
  const type = (event: KeyboardEvent) => {
    if (!store.dropdownOpened || !isSearched(select) || !isForSearch(event, text)) return
    event.preventDefault()
    event.stopPropagation()
    setText((before) => before + event.key)
  }
  return (
    <Combobox
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
        <ChipTarget {...chip} onOpen={() => store.toggleDropdown()} onKeyDownCapture={type} />
      </Combobox.Target>
      <ChoiceDropdown
        store={store}
        label={select.name}
        text={text}
        onText={setText}
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
