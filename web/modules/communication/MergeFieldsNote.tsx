import { mergeFields } from '#contract/communication/merge-rules.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './emails.module.css'

/** The fields of an email, to be written by hand too: in the subject, and where the editor has no list of them. */
export function MergeFieldsNote() {
  const words = useWords()
  return (
    <details className={classes.fields}>
      <summary>{words('emails.fields')}</summary>
      <p className={classes.hint}>{words('emails.fieldsHint')}</p>
      <dl>
        {mergeFields.map(({ Name, Note, Without }) => (
          <div key={Name}>
            <dt>
              <code>{`{{${Name}}}`}</code>
            </dt>
            <dd>
              {Note}
              {Without && <small>{words('emails.fieldWithout', { text: Without })}</small>}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
