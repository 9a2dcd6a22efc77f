import type { SiteDetail } from '#contract/sites/sites.ts'
import { FormSection } from '#web/ui/form/Form.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useWords } from '#web/words/use-words.ts'
import { type SitePartProps, SiteRows } from './SiteRows.tsx'

/** The departments of the site. */
export function SiteDepartments({
  rows,
  onChange,
  errors,
  isLocked,
}: SitePartProps<SiteDetail['Departments'][number]>) {
  const words = useWords()
  const lock = isLocked && { lockedBecause: words('sites.readOnly') }
  return (
    <FormSection name={words('sites.sectionDepartments')} purpose={words('sites.sectionDepartmentsPurpose')}>
      <SiteRows
        field="Departments"
        rows={rows}
        onChange={onChange}
        errors={errors}
        blank={() => ({ Id: 0, Name: '' })}
        addLabel={words('sites.addDepartment')}
        nameOf={({ Name }) => Name || words('sites.departmentName')}
        isLocked={isLocked}
        cells={({ part }) => (
          <div>
            <TextField
              label={words('sites.departmentName')}
              required
              maxLength={255}
              {...part('Name')}
              {...lock}
            />
          </div>
        )}
      />
    </FormSection>
  )
}
