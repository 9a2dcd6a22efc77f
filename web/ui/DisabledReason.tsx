import { cloneElement, type ReactElement, useId } from 'react'
import { Hint } from './Hint.tsx'

type ControlProps = {
  'aria-disabled'?: boolean
  'aria-describedby'?: string
  'data-disabled'?: boolean
  disabled?: boolean
  onClick?: (event: { preventDefault: () => void; stopPropagation: () => void }) => void
}

export type DisabledReasonProps = {
  /** Why the control cannot be used now; without a reason the control is left as it is. */
  reason: string | null | undefined | false
  children: ReactElement<ControlProps>
}

function refuse(event: { preventDefault: () => void; stopPropagation: () => void }) {
  event.preventDefault()
  event.stopPropagation()
}

/**
 * A control that may be refused, with its reason: `<DisabledReason reason={full && '12 of 12 places are taken'}><Button …/></DisabledReason>`.
 * The control stays reachable by keyboard, so that the reason can be read; pressing it does nothing.
 */
export function DisabledReason({ reason, children }: DisabledReasonProps) {
  const id = useId()
  if (!reason) return children
  return (
    <>
      <Hint text={reason}>
        {cloneElement(children, {
          'aria-disabled': true,
          'aria-describedby': id,
          'data-disabled': true,
          disabled: undefined,
          onClick: refuse,
        })}
      </Hint>
      <span id={id} hidden>
        {reason}
      </span>
    </>
  )
}
