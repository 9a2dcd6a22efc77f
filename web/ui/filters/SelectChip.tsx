import type { KeyboardEvent } from 'react'
import { useWords } from '#web/words/use-words.ts'
import { namesOf } from '../choice/names.ts'
import { useEarlyLetters } from '../choice/use-early-letters.ts'
import { later, useOpening } from '../later.tsx'
import { Chip } from './Chip.tsx'
import type { SelectChipProps } from './select-chip-props.ts'

/** The list is among the largest parts of a page, and most of its filters are never opened. */
const ChipList = later(() => import('./ChipList.tsx').then((m) => m.ChipList))

/** A filter by one or several options, with search when there are many. */
export function SelectChip(props: SelectChipProps) {
  const words = useWords()
  const list = useOpening(ChipList)
  const selected = props.multi ? props.value : props.value === null ? [] : [props.value]
  const chip = {
    name: props.name,
    value: namesOf(words, selected, props.options, props.chosenLabels) || (props.none ?? words('ui.all')),
    isSet: selected.length > 0,
    ...(!props.fixed && { onClear: () => (props.multi ? props.onChange([]) : props.onChange(null)) }),
  }
  const early = useEarlyLetters()
  if (list.isOpened)
    return (
      <ChipList
        select={props}
        selected={selected}
        chip={chip}
        text={early.text}
        onText={early.setText}
        onOpen={early.await}
      />
    )
  const open = () => {
    early.await()
    list.open()
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    open()
    event.preventDefault()
  }
  const button = {
    ...list.near,
    role: 'combobox',
    'aria-haspopup': 'listbox',
    'aria-expanded': false,
    onClick: open,
    onKeyDown: press,
  } as const
  return <Chip {...chip} button={button} />
}
