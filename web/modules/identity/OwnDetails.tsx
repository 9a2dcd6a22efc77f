import { getOwnDetails } from '#contract/reports/member-homes.ts'
import { useRead } from '#web/api/use-call.ts'
import { ContactList } from '#web/shared/ContactList.tsx'
import { FormSection, FullWidth } from '#web/ui/form/Form.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './own-details.module.css'

/** What the program keeps of a person and they cannot change themselves, and whom to ask. */
export function OwnDetails() {
  const words = useWords()
  const { data, error, refetch } = useRead(getOwnDetails)
  if (error) return <PageMessage kind="error" text={error.message} onRetry={() => void refetch()} />
  if (!data) return null
  const { Name, PhoneNumber, Zip, Institution, StudentNumber, Contacts } = data
  const lines: [string, string][] = [
    [words('account.fullName'), Name],
    [words('account.phone'), PhoneNumber],
    [words('account.zip'), Zip],
    [words('account.institution'), Institution],
    ...(StudentNumber === null ? [] : [[words('account.studentNumber'), StudentNumber] as [string, string]]),
  ]
  return (
    <FormSection name={words('account.details')} purpose={words('account.detailsPurpose')}>
      <FullWidth>
        <dl className={classes.lines}>
          {lines.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value || '–'}</dd>
            </div>
          ))}
        </dl>
        <p className={classes.ask}>{words('account.askChange')}</p>
        <ContactList contacts={Contacts} />
      </FullWidth>
    </FormSection>
  )
}
