import { IconArrowBackUp, IconPencil } from '@tabler/icons-react'
import type { DirectoryField } from '#contract/people/directory-fields.ts'
import { confirm } from '#web/ui/confirm.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './people.module.css'

/** Which fields of a person a directory writes: each is taken over after a question, and given back beside it. */
export function DirectoryFields(props: {
  directory: string
  fields: readonly DirectoryField[]
  kept: readonly string[]
  onTake: (field: DirectoryField) => void
  onGiveBack: (field: DirectoryField) => void
}) {
  const { directory, fields, kept, onTake, onGiveBack } = props
  const words = useWords()
  const ask = async (field: DirectoryField) => {
    const name = words(`people.directoryField.${field}`)
    const isSure = await confirm({
      title: words('people.takeTitle', { field: name }),
      text: words('people.takeQuestion', { field: name, name: directory }),
      verb: words('people.take'),
    })
    if (isSure) onTake(field)
  }
  return (
    <fieldset className={classes.directory}>
      <legend>{words('people.directoryFields', { name: directory })}</legend>
      <ul>
        {fields.map((field) => {
          const isKept = kept.includes(field)
          const name = words(`people.directoryField.${field}`)
          const verb = words(isKept ? 'people.giveBack' : 'people.take')
          return (
            <li key={field}>
              <span>
                <b>{name}</b>
                <small>
                  {words(isKept ? 'people.writtenHere' : 'people.writtenThere', { name: directory })}
                </small>
              </span>
              <button
                type="button"
                aria-label={`${verb}: ${name}`}
                onClick={() => (isKept ? onGiveBack(field) : void ask(field))}
              >
                {isKept ? (
                  <IconArrowBackUp size={15} stroke={1.75} aria-hidden />
                ) : (
                  <IconPencil size={15} stroke={1.75} aria-hidden />
                )}
                {verb}
              </button>
            </li>
          )
        })}
      </ul>
    </fieldset>
  )
}
