import classes from './Problem.module.css'

/** What kept a change from being saved, read out at once; nothing without a text. */
export function Problem({ text }: { text: string | null | undefined }) {
  if (!text) return null
  return (
    <p className={classes.problem} role="alert">
      {text}
    </p>
  )
}
