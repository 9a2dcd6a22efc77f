import { IconX } from '@tabler/icons-react'
import { useCallback, useRef } from 'react'
import { minSearchLetters, pickedAtOnce, pickUsers } from '#contract/communication/emails.ts'
import { call } from '#web/api/call.ts'
import type { OptionSearch } from '#web/ui/choice/use-options.ts'
import { MultiSelectField } from '#web/ui/form/MultiSelectField.tsx'
import { useLevelName } from '#web/words/level-name.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './emails.module.css'

/** Somebody who was picked by name. */
export interface Picked {
  id: number
  name: string
}

const searchDelayMs = 1_000

interface PeopleFieldProps {
  value: readonly Picked[]
  onChange: (value: Picked[]) => void
}

/** Single people by name, besides the groups: searched on the server from three letters on. */
export function PeopleField({ value, onChange }: PeopleFieldProps) {
  const words = useWords()
  const levelOf = useLevelName()
  const names = useRef(new Map<string, string>())
  for (const { id, name } of value) names.current.set(String(id), name)

  const search: OptionSearch = useCallback(
    async (text, page) => {
      if (text.trim().length < minSearchLetters) return { options: [] }
      const { aaData } = await call(pickUsers, { query: { search: text, page: page + 1 } })
      for (const { ID, FullName } of aaData) names.current.set(String(ID), FullName)
      return {
        options: aaData.map(({ ID, FullName, EmailAddress, AccessLevel, Program }) => ({
          value: String(ID),
          label: FullName,
          detail: Program ?? (EmailAddress || levelOf(AccessLevel)),
        })),
        hasMore: aaData.length === pickedAtOnce,
      }
    },
    [levelOf],
  )
  return (
    <>
      <MultiSelectField
        name="studentIds"
        label={words('emails.people')}
        hint={words('emails.peopleHint')}
        placeholder={words('emails.addPeople')}
        search={search}
        minLetters={minSearchLetters}
        delay={searchDelayMs}
        value={value.map(({ id }) => String(id))}
        chosenLabels={Object.fromEntries(value.map(({ id, name }) => [String(id), name]))}
        onChange={(ids) => onChange(ids.map((id) => ({ id: Number(id), name: names.current.get(id) ?? id })))}
      />
      {value.length > 0 && (
        <ul className={classes.picked} aria-label={words('emails.people')}>
          {value.map(({ id, name }) => (
            <li key={id}>
              <span title={name}>{name}</span>
              <button
                type="button"
                className={classes.remove}
                aria-label={words('emails.remove', { name })}
                onClick={() => onChange(value.filter((each) => each.id !== id))}
              >
                <IconX size={14} stroke={2} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
