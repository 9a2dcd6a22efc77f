import { useId } from 'react'
import entrance from './identity.module.css'
import classes from './passwordless.module.css'

const digits = 6

/** Six digits, each in its own box; to the keyboard, the phone and a reader it is one field. */
export function CodeField(props: { label: string; value: string; onChange: (code: string) => void }) {
  const id = useId()
  const { value } = props
  return (
    <div className={entrance.field}>
      <div className={entrance.label}>
        <label htmlFor={id}>{props.label}</label>
      </div>
      <div className={classes.code}>
        {Array.from({ length: digits }, (_, at) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: the place is what a box is
            key={at}
            className={classes.digit}
            data-next={at === Math.min(value.length, digits - 1) || undefined}
            aria-hidden
          >
            {value[at]}
          </span>
        ))}
        <input
          id={id}
          name="code"
          autoComplete="one-time-code"
          inputMode="numeric"
          // biome-ignore lint/a11y/noAutofocus: typing the code is what the page is for
          autoFocus
          value={value}
          onChange={(event) => props.onChange(event.currentTarget.value.replace(/\D/g, '').slice(0, digits))}
        />
      </div>
    </div>
  )
}
