import { IconCalendarPlus } from '@tabler/icons-react'
import { renewedDates } from '#contract/sites/agreements-rules.ts'
import type { SiteDetail } from '#contract/sites/sites.ts'
import { Button } from '#web/ui/buttons.ts'
import { formatDate } from '#web/ui/dates.ts'
import { CheckField } from '#web/ui/form/CheckField.tsx'
import { DateField } from '#web/ui/form/DateField.tsx'
import { FormSection } from '#web/ui/form/Form.tsx'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useWords } from '#web/words/use-words.ts'
import { type SitePartProps, SiteRows } from './SiteRows.tsx'
import classes from './sites.module.css'

/** The affiliation agreements of a site; one with an end can be renewed by a button. `today` is the program's day. */
export function SiteAgreements({
  rows,
  onChange,
  errors,
  isLocked,
  today,
}: SitePartProps<SiteDetail['Agreements'][number]> & { today: string }) {
  const words = useWords()
  const lock = isLocked && { lockedBecause: words('sites.readOnly') }
  return (
    <>
      <div id="agreements" />
      <FormSection name={words('sites.sectionAgreements')} purpose={words('sites.sectionAgreementsPurpose')}>
        <SiteRows
          field="Agreements"
          rows={rows}
          onChange={onChange}
          errors={errors}
          blank={() => ({
            Id: 0,
            InitialDate: today,
            LastRenewalDate: null,
            Terms: '',
            IsActive: true,
            IsApproved: false,
            TerminationDate: null,
            Notes: '',
          })}
          addLabel={words('sites.addAgreement')}
          nameOf={(_, index) => words('sites.agreementTitle', { number: index + 1 })}
          isLocked={isLocked}
          verbs={(row, change) =>
            row.TerminationDate && (
              <Button
                variant="default"
                leftSection={<IconCalendarPlus size={16} stroke={1.75} aria-hidden />}
                onClick={() =>
                  change({
                    ...row,
                    IsActive: true,
                    ...renewedDates(row, today),
                  })
                }
              >
                {words('sites.renewTo', { date: formatDate(renewedDates(row, today).TerminationDate) })}
              </Button>
            )
          }
          cells={({ part }) => (
            <>
              <div>
                <DateField label={words('sites.initialDate')} {...part('InitialDate')} {...lock} />
              </div>
              <div>
                <DateField label={words('sites.lastRenewalDate')} {...part('LastRenewalDate')} {...lock} />
              </div>
              <div>
                <DateField label={words('sites.terminationDate')} {...part('TerminationDate')} {...lock} />
              </div>
              <div>
                <TextField label={words('sites.terms')} maxLength={255} {...part('Terms')} {...lock} />
              </div>
              <div className={classes.wideCell}>
                <TextAreaField
                  label={words('sites.agreementNotes')}
                  rows={1}
                  maxLength={2000}
                  {...part('Notes')}
                  {...lock}
                />
              </div>
              <div>
                <CheckField label={words('sites.agreementActive')} {...part('IsActive')} {...lock} />
              </div>
              <div>
                <CheckField label={words('sites.agreementApproved')} {...part('IsApproved')} {...lock} />
              </div>
            </>
          )}
        />
      </FormSection>
    </>
  )
}
