import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { type InputHTMLAttributes, type ReactNode, useId, useState } from 'react'
import { entranceWords as words } from '#web/words/entrance-words.ts'
import classes from './identity.module.css'

type PlainFieldProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> & {
  label: string
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  /** The error comes from the server while the focus stays here: it is read out. */
  isTold?: boolean
  hint?: string
  /** At the right of the label. */
  beside?: ReactNode
  /** Before the text. */
  icon?: ReactNode
}

/** A field of the pages before signing in, without the code of the form kit. A password can be shown. */
export function PlainField(props: PlainFieldProps) {
  const { label, value, onChange, error, isTold, hint, beside, icon, type, ...rest } = props
  const id = useId()
  const [isShown, setShown] = useState(false)
  const isPassword = type === 'password'
  return (
    <div className={classes.field}>
      <div className={classes.label}>
        <label htmlFor={id}>{label}</label>
        {beside}
      </div>
      <div className={classes.box} data-icon={icon ? true : undefined}>
        {icon}
        <input
          {...rest}
          id={id}
          type={isPassword && isShown ? 'text' : type}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          aria-invalid={error ? true : undefined}
          aria-describedby={error || hint ? `${id}-note` : undefined}
        />
        {isPassword && (
          <button
            type="button"
            aria-label={words(isShown ? 'identity.hide' : 'identity.show')}
            aria-pressed={isShown}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? (
              <IconEyeOff size={18} stroke={1.75} aria-hidden />
            ) : (
              <IconEye size={18} stroke={1.75} aria-hidden />
            )}
          </button>
        )}
      </div>
      {(error ?? hint) && (
        <p
          id={`${id}-note`}
          className={error ? classes.error : classes.hint}
          role={error && isTold ? 'alert' : undefined}
        >
          {error ?? hint}
        </p>
      )}
    </div>
  )
}
