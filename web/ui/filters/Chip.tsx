import { IconChevronDown, IconX } from '@tabler/icons-react'
import type { ComponentPropsWithRef, Ref } from 'react'
import { plainWords } from '#web/words/plain-words.ts'
import classes from './filters.module.css'

export type ChipContent = {
  name: string
  value: string
  isSet: boolean
  onClear?: () => void
}

type ChipProps = ChipContent & { button: ComponentPropsWithRef<'button'> }

/** Name and value; tinted with × when set. The × is its own button beside the one that opens. */
export function Chip({ name, value, isSet, onClear, button }: ChipProps) {
  return (
    <span className={classes.chip} data-on={isSet || undefined}>
      <button
        {...button}
        type="button"
        className={classes.open}
        aria-label={`${name}: ${value}`}
        title={value}
      >
        {name && <span className={classes.name}>{name}</span>}
        <b className={classes.value}>{value}</b>
        {!(isSet && onClear) && <IconChevronDown size={15} stroke={2} aria-hidden />}
      </button>
      {isSet && onClear && (
        <button
          type="button"
          className={classes.clear}
          aria-label={plainWords('ui.clearField', { label: name || value })}
          onClick={onClear}
        >
          <IconX size={14} stroke={2} aria-hidden />
        </button>
      )}
    </span>
  )
}

type TargetProps = ChipContent & {
  onOpen: () => void
  ref?: Ref<HTMLButtonElement>
}

/** A chip as the target of a list or popover: these give their target a ref and ARIA props, which belong on its button. */
export function ChipTarget({ name, value, isSet, onClear, onOpen, ...button }: TargetProps) {
  return (
    <Chip name={name} value={value} isSet={isSet} onClear={onClear} button={{ ...button, onClick: onOpen }} />
  )
}
