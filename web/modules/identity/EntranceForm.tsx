import type { ReactNode } from 'react'
import classes from './identity.module.css'

interface EntranceFormProps {
  /** What the server said to the last attempt. */
  failure: string | undefined
  isRunning: boolean
  /** On the button. */
  verb: string
  onSubmit: () => void
  children: ReactNode
}

/** A form of the pages before signing in: what went wrong above the fields, one button below. */
export function EntranceForm({ failure, isRunning, verb, onSubmit, children }: EntranceFormProps) {
  return (
    <form
      // Should the browser ever send it by itself, a password must not be in the address.
      method="post"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
      noValidate
      className={classes.form}
    >
      {failure && (
        <div role="alert" className={classes.failure}>
          {failure}
        </div>
      )}
      {children}
      <button type="submit" className={classes.main} aria-disabled={isRunning}>
        {verb}
      </button>
    </form>
  )
}
