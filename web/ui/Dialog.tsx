import './all-styles.ts'
import { CloseButton, Modal } from '@mantine/core'
import { type MouseEvent, type ReactNode, useState } from 'react'
import { useWords } from '#web/words/use-words.ts'
import classes from './Dialog.module.css'
import { useEscape } from './escape.ts'
import { askToLeave, DialogWork, FieldWork, LeaveDialog, type Unsaved } from './form/unsaved.ts'
import { useFocusBack } from './use-focus-back.ts'
import { useIsPhone } from './use-is-phone.ts'

export type DialogProps = {
  opened: boolean
  onClose: () => void
  title: string
  subtitle?: ReactNode
  children?: ReactNode
  /** Left side of the footer: what will happen, in numbers ("3 people × 6 dates = 18 rows"). */
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
  /** What would be lost besides what its forms and fields tell, such as files: how many changes. */
  unsaved?: number
  /** Its fields choose what it shows, or are saved at once: nothing is lost when it closes. */
  losesNothing?: boolean
}

/** What is typed and cannot be read is no value: the dialog does nothing with it, and the field says why. */
const keepUnread = (event: MouseEvent<HTMLElement>): void => {
  const isVerb = (event.target as Element).closest('button[data-variant="filled"]')
  const unread = isVerb && event.currentTarget.closest('section')?.querySelector<HTMLElement>('[data-unread]')
  if (!unread) return
  event.preventDefault()
  event.stopPropagation()
  unread.focus()
}

/** A dialog that begins with a text to type begins there; else what is typed would press its first button, which closes it. */
const beginInText = (body: HTMLElement | null): void => {
  const first = body?.querySelector('input, textarea')
  if (first?.matches('textarea, [type=text]:not([role], [aria-haspopup])'))
    first.setAttribute('data-autofocus', '')
}

/**
 * A dialog over the page; on phones a sheet from below. Escape, Back, ×, `LeaveButton` and a click beside it close it, after a
 * question when something in it is unsaved; the focus returns where it was.
 */
export function Dialog(props: DialogProps) {
  const { opened, onClose, title, subtitle, children, summary, refusal, actions, width = 560, flush } = props
  const isPhone = useIsPhone()
  const words = useWords()
  const [work] = useState(() => new Set<Unsaved>())
  const leave = async (go: () => void) => {
    const left = [...work, { count: props.unsaved ?? 0, hasDraft: false }].filter(({ count }) => count > 0)
    if (left.length === 0 || (await askToLeave(words, left))) go()
  }
  const close = () => leave(onClose)
  useEscape(() => void close(), opened)
  useFocusBack(opened)
  return (
    <Modal.Root
      opened={opened}
      onClose={() => void close()}
      closeOnEscape={false}
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
          <CloseButton onClick={() => void close()} aria-label={words('ui.close')} size="lg" />
        </div>
        {children && (
          <Modal.Body ref={isPhone ? undefined : beginInText} className={flush ? classes.flush : undefined}>
            <DialogWork value={work}>
              <FieldWork value={props.losesNothing ? undefined : work}>{children}</FieldWork>
            </DialogWork>
          </Modal.Body>
        )}
        {(actions || summary) && (
          <div className={classes.foot} data-foot>
            <div className={classes.summary} aria-live="polite">
              {summary && <div className={classes.sum}>{summary}</div>}
              {refusal && <div className={classes.refusal}>{refusal}</div>}
            </div>
            <div className={classes.actions} onClickCapture={keepUnread}>
              <LeaveDialog value={(go) => void leave(go)}>{actions}</LeaveDialog>
            </div>
          </div>
        )}
      </Modal.Content>
    </Modal.Root>
  )
}
