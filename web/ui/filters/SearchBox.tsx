import { IconSearch, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { plainWords } from '#web/words/plain-words.ts'
import classes from './filters.module.css'

export type SearchBoxProps = {
  /** What is searched: "Search by ID or name". */
  label: string
  value: string
  onChange: (value: string) => void
  /** Pause after the last letter in ms before `onChange`; Enter does not wait. */
  delay?: number
  /** Widest in px. */
  width?: number
  maxLength?: number
  autoFocus?: boolean
}

/** A search field of a list. */
export function SearchBox(props: SearchBoxProps) {
  const { label, value, onChange, delay = 250, width = 280 } = props
  const [text, setText] = useState(value)
  const told = useRef(value)
  useEffect(() => {
    if (value !== told.current) {
      told.current = value
      setText(value)
    }
  }, [value])
  const tell = useRef<ReturnType<typeof setTimeout>>(undefined)
  const change = (next: string, pause: number) => {
    setText(next)
    clearTimeout(tell.current)
    tell.current = setTimeout(() => {
      told.current = next
      onChange(next)
    }, pause)
  }
  useEffect(() => () => clearTimeout(tell.current), [])
  return (
    <search className={classes.search} style={{ '--search-width': `${width}px` }}>
      <IconSearch size={16} stroke={1.75} aria-hidden />
      <input
        type="text"
        aria-label={label}
        placeholder={label}
        value={text}
        maxLength={props.maxLength}
        data-autofocus={props.autoFocus || undefined}
        onChange={(event) => change(event.currentTarget.value, delay)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            event.preventDefault()
            change(text, 0)
          } else if (event.key === 'Escape' && text) {
            event.stopPropagation()
            change('', 0)
          }
        }}
      />
      {text && (
        <button type="button" aria-label={plainWords('ui.clearSearch')} onClick={() => change('', 0)}>
          <IconX size={16} aria-hidden />
        </button>
      )}
    </search>
  )
}
