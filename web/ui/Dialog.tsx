import './all-styles.ts'
import { CloseButton, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './Dialog.module.css'
import { useIsPhone } from './use-is-phone.ts'

export type DialogProps = {
  opened: boolean
  onClose: () => void
  title: string
  subtitle?: ReactNode
  children?: ReactNode
  /** Left side of the footer: what will happen, in numbers ("3 students × 6 dates = 18 assignments"). */
  summary?: ReactNode
  /** Second, quiet line of the footer: what will be refused and why. */
  refusal?: ReactNode
  /** The buttons; one of them filled, the verb on it. */
  actions?: ReactNode
  /** Widest in px; 560 when none is given. */
  width?: number
  /** Content without the inner padding, for lists and columns that reach the edges. */
  flush?: boolean
  /** A long form should not vanish by a click beside it. */
  stayOnOutsideClick?: boolean
}

/** A dialog over the page; on phones a sheet from below. Escape and × close it, the focus returns where it was. */
export function Dialog(props: DialogProps) {
  const { opened, onClose, title, subtitle, children, summary, refusal, actions, width = 560, flush } = props
  const isPhone = useIsPhone()
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      size={width}
      centered={!isPhone}
      closeOnClickOutside={!props.stayOnOutsideClick}
      transitionProps={{ duration: 180, transition: isPhone ? 'slide-up' : 'pop' }}
      classNames={{ inner: classes.inner, content: classes.content, body: classes.body }}
    >
      <Modal.Overlay />
      <Modal.Content radius="xl">
        <div className={classes.head}>
          <div className={classes.titles}>
            <Modal.Title className={classes.title}>{title}</Modal.Title>
            {subtitle && <div className={classes.subtitle}>{subtitle}</div>}
          </div>
          <CloseButton onClick={onClose} aria-label="Close" size="lg" />
        </div>
        {children && <Modal.Body className={flush ? classes.flush : undefined}>{children}</Modal.Body>}
        {(actions || summary) && (
          <div className={classes.foot}>
            <div className={classes.summary} aria-live="polite">
              {summary && <div className={classes.sum}>{summary}</div>}
              {refusal && <div className={classes.refusal}>{refusal}</div>}
            </div>
            <div className={classes.actions}>{actions}</div>
          </div>
        )}
      </Modal.Content>
    </Modal.Root>
  )
}
