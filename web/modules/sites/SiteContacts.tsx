import type { SiteDetail } from '#contract/sites/sites.ts'
import { FormSection } from '#web/ui/form/Form.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useWords } from '#web/words/use-words.ts'
import { type SitePartProps, SiteRows } from './SiteRows.tsx'

/** Whom to write or call at the site. */
export function SiteContacts({
  rows,
  onChange,
  errors,
  isLocked,
}: SitePartProps<SiteDetail['Contacts'][number]>) {
  const words = useWords()
  const lock = isLocked && { lockedBecause: words('sites.readOnly') }
  return (
    <FormSection name={words('sites.sectionContacts')} purpose={words('sites.sectionContactsPurpose')}>
      <SiteRows
        field="Contacts"
        rows={rows}
        onChange={onChange}
        errors={errors}
        blank={() => ({ Id: 0, Name: '', Role: '', Email: '', Phone: '' })}
        addLabel={words('sites.addContact')}
        nameOf={({ Name }) => Name || words('sites.contactName')}
        isLocked={isLocked}
        cells={({ part }) => (
          <>
            <div>
              <TextField
                label={words('sites.contactName')}
                required
                maxLength={255}
                {...part('Name')}
                {...lock}
              />
            </div>
            <div>
              <TextField label={words('sites.contactRole')} maxLength={100} {...part('Role')} {...lock} />
            </div>
            <div>
              <TextField
                label={words('sites.contactEmail')}
                type="email"
                maxLength={255}
                {...part('Email')}
                {...lock}
              />
            </div>
            <div>
              <TextField
                label={words('sites.contactPhone')}
                type="tel"
                maxLength={50}
                {...part('Phone')}
                {...lock}
              />
            </div>
          </>
        )}
      />
    </FormSection>
  )
}
