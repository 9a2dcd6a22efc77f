import type { KeyboardEvent } from 'react'
import { useWords } from '#web/words/use-words.ts'
import { namesOf } from '../choice/names.ts'
import { isSearched, type OptionSource } from '../choice/use-options.ts'
import { later, useOpening } from '../later.tsx'
import { Chip } from './Chip.tsx'
import { useEarlyLetters } from './use-early-letters.ts'

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
  const isForLetters = isSearched(props)
  if (list.isOpened)
    return (
      <ChipList
        select={props}
        selected={selected}
        chip={chip}
        text={early.text}
        onText={early.setText}
        onOpen={() => isForLetters && early.await()}
      />
    )
  const open = () => {
    if (isForLetters) early.await()
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
