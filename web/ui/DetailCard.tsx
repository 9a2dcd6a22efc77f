import { HoverCard } from '@mantine/core'
import { type ReactElement, type ReactNode, startTransition, useState } from 'react'
import classes from './DetailCard.module.css'

export type DetailCardProps = {
  /** One focusable element, such as a link or button, that has the card. */
  children: ReactElement
  title: string
  /** Name and value; the last can be a total. */
  lines?: { label: string; value: ReactNode; isTotal?: boolean }[]
  content?: ReactNode
  /** A link or verb at the foot. */
  foot?: ReactNode
  /** px */
  width?: number
}

/** More about something on hover and on focus: a title, lines of name and value, one next step. Escape closes it. */
export function DetailCard({ children, title, lines, content, foot, width = 300 }: DetailCardProps) {
  const [isFocused, setFocused] = useState(false)
  // When there is time for it, as a hint: Tab, held down, passes many.
  const open = (isOpen: boolean) => startTransition(() => setFocused(isOpen))
  return (
    <HoverCard
      width={width}
      openDelay={150}
      closeDelay={120}
      withinPortal
      initiallyOpened={false}
      {...(isFocused ? { opened: true } : {})}
    >
      <HoverCard.Target>
        <CardTarget onOpen={open}>{children}</CardTarget>
      </HoverCard.Target>
      <HoverCard.Dropdown className={classes.card}>
        <b>{title}</b>
        {lines && (
          <dl className={classes.lines}>
            {lines.map((line) => (
              <div key={line.label} data-total={line.isTotal || undefined}>
                <dt>{line.label}</dt>
                <dd>{line.value}</dd>
              </div>
            ))}
          </dl>
        )}
        {content}
        {foot && <div className={classes.foot}>{foot}</div>}
      </HoverCard.Dropdown>
    </HoverCard>
  )
}

type TargetProps = { onOpen: (isOpen: boolean) => void; children: ReactNode }

/** Takes the ref and the pointer of the card, but not its `aria-expanded`, which a plain box must not carry. */
function CardTarget({ onOpen, children, ...given }: TargetProps) {
  const {
    'aria-expanded': _,
    'aria-haspopup': __,
    'aria-controls': ___,
    ...rest
  } = given as Record<string, unknown>
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens to the focus of what it wraps
    <span
      {...rest}
      className={classes.target}
      onFocus={() => onOpen(true)}
      onBlur={() => onOpen(false)}
      onKeyDown={(event) => event.key === 'Escape' && onOpen(false)}
    >
      {children}
    </span>
  )
}
