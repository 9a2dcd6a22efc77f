import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './proofs.module.css'

/** The last of a proof's form: a note, and why it was refused. */
export function ProofNote(props: {
  note: string
  onChange: (note: string) => void
  problem: string | undefined
}) {
  const words = useWords()
  return (
    <>
      <TextAreaField
        label={words('requirements.note')}
        hint={words('requirements.noteHint')}
        rows={2}
        maxLength={500}
        name="Note"
        value={props.note}
        onChange={props.onChange}
      />
      {props.problem && (
        <p role="alert" className={classes.problem}>
          {props.problem}
        </p>
      )}
    </>
  )
}
