import { lazy, Suspense, useId } from 'react'
import { plainWords } from '#web/words/plain-words.ts'
import { htmlOfText, textOfHtml } from './html-text.ts'
import { isTablet } from './is-tablet.ts'
import classes from './RichText.module.css'
import type { RichTextProps } from './rich-text-types.ts'

const Editor = lazy(() => import('./RichTextEditor.tsx').then((m) => ({ default: m.RichTextEditor })))

/** Formatted text as HTML. Its editor is loaded when it first comes to the screen; tablets get a plain text area. */
export function RichText(props: RichTextProps) {
  const { label, hideLabel, height = 500, error } = props
  const id = useId()
  const isPlain = isTablet()
  return (
    <div className={classes.field}>
      <label
        id={`${id}-label`}
        htmlFor={isPlain ? id : undefined}
        className={hideLabel ? 'p-sr-only' : classes.label}
      >
        {label}
      </label>
      {isPlain ? (
        <PlainText {...props} id={id} height={height} />
      ) : (
        <Suspense
          fallback={
            <div
              className={classes.waiting}
              style={{ height }}
              role="status"
              aria-label={plainWords('ui.loading')}
            />
          }
        >
          <Editor {...props} height={height} labelId={`${id}-label`} />
        </Suspense>
      )}
      {error && (
        <div className={classes.error} role="alert">
          {error}
        </div>
      )}
    </div>
  )
}

function PlainText(props: RichTextProps & { id: string; height: number }) {
  return (
    <>
      <p className={classes.warning}>{plainWords('ui.formattingLost')}</p>
      <textarea
        id={props.id}
        className={`${classes.plain} p-halo`}
        style={{ height: props.height }}
        defaultValue={textOfHtml(props.value)}
        readOnly={props.isReadOnly}
        onChange={(event) => props.onChange(htmlOfText(event.currentTarget.value))}
      />
    </>
  )
}
