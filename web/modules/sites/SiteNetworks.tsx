import type { SiteDetail } from '#contract/sites/sites.ts'
import { FormSection } from '#web/ui/form/Form.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useWords } from '#web/words/use-words.ts'
import { type SitePartProps, SiteRows } from './SiteRows.tsx'

/** The networks by which a clock-in is known to come from the site. */
export function SiteNetworks({
  rows,
  onChange,
  errors,
  isLocked,
}: SitePartProps<SiteDetail['Networks'][number]>) {
  const words = useWords()
  const lock = isLocked && { lockedBecause: words('sites.readOnly') }
  return (
    <FormSection name={words('sites.sectionNetworks')} purpose={words('sites.sectionNetworksPurpose')}>
      <SiteRows
        field="Networks"
        rows={rows}
        onChange={onChange}
        errors={errors}
        blank={() => ({ Id: 0, Name: '', Range: '' })}
        addLabel={words('sites.addNetwork')}
        nameOf={({ Name, Range }) => Name || Range || words('sites.networkName')}
        isLocked={isLocked}
        cells={({ part }) => (
          <>
            <div>
              <TextField
                label={words('sites.networkName')}
                required
                maxLength={100}
                {...part('Name')}
                {...lock}
              />
            </div>
            <div>
              <TextField
                label={words('sites.networkRange')}
                hint={words('sites.networkRangeHint')}
                required
                maxLength={100}
                {...part('Range')}
                {...lock}
              />
            </div>
          </>
        )}
      />
    </FormSection>
  )
}
