import {
  type AffiliateAgreement,
  getAgreement,
  listAgreements,
  renewAgreement,
  updateAgreement,
} from '#contract/sites/agreements.ts'
import { renewedDates } from '#contract/sites/agreements-rules.ts'
import { getSite, mapSites, pageSites } from '#contract/sites/sites.ts'
import { useSave } from '#web/api/use-call.ts'
import { useProgramId, useTimeZone } from '#web/api/use-state.ts'
import { attempt } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { dateOfInstant, formatDate } from '#web/ui/dates.ts'
import { DateField } from '#web/ui/form/DateField.tsx'
import { Form } from '#web/ui/form/Form.tsx'
import { required } from '#web/ui/form/rules.ts'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './sites.module.css'

/** Moves the dates of an agreement; the term ahead is proposed. What it was before comes back by Undo. */
export function RenewDialog({ agreement, onClose }: { agreement: AffiliateAgreement; onClose: () => void }) {
  const words = useWords()
  const programId = useProgramId()
  const today = dateOfInstant(new Date(), useTimeZone())
  const refresh = { refresh: [listAgreements, getAgreement, getSite, pageSites, mapSites] }
  const renew = useSave(renewAgreement, refresh)
  const update = useSave(updateAgreement, refresh)
  const at = { params: { programId, agreementId: agreement.Id } }
  const name = agreement.Site

  const takeBack = async () => {
    const { SiteId, InitialDate, LastRenewalDate, Terms, IsActive, IsApproved } = agreement
    const { TerminationDate, Capacity, Contacts, Notes } = agreement
    const body = {
      agreement: {
        SiteId,
        InitialDate,
        LastRenewalDate,
        Terms,
        IsActive,
        IsApproved,
        TerminationDate,
        Capacity,
        Contacts,
        Notes,
      },
    }
    await attempt(async () => {
      await update.run({ ...at, body }, { files: {} })
      toast.done(words('agreements.takenBack', { name }))
    })
  }
  const form = useEditForm({
    initialValues: renewedDates(agreement, today) as {
      LastRenewalDate: string | null
      TerminationDate: string | null
    },
    rules: {
      LastRenewalDate: required(words('agreements.required')),
      TerminationDate: required(words('agreements.required')),
    },
    save: ({ LastRenewalDate, TerminationDate }) =>
      renew.run({
        ...at,
        body: { LastRenewalDate: LastRenewalDate ?? '', TerminationDate: TerminationDate ?? '' },
      }),
  })
  const { TerminationDate } = form.values
  const saved = () => {
    toast.done({
      title: words('agreements.renewed', { name, date: formatDate(TerminationDate) }),
      undo: () => void takeBack(),
    })
    onClose()
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('agreements.renewTitle')}
      subtitle={name}
      stayOnOutsideClick
      summary={
        TerminationDate &&
        (agreement.TerminationDate
          ? words('agreements.renewSummary', {
              until: formatDate(TerminationDate),
              from: formatDate(agreement.TerminationDate),
            })
          : words('agreements.renewSummaryOpen', { until: formatDate(TerminationDate) }))
      }
      actions={
        <Button
          loading={form.isSaving}
          onClick={async () => {
            if (await form.submit()) saved()
          }}
        >
          {words('agreements.renew')}
        </Button>
      }
    >
      <Form form={form} onCancel={onClose} onSaved={saved}>
        <div className={classes.stack}>
          <DateField
            label={words('agreements.lastRenewalDate')}
            required
            {...form.field('LastRenewalDate')}
          />
          <DateField
            label={words('agreements.terminationDate')}
            required
            {...form.field('TerminationDate')}
          />
        </div>
      </Form>
    </Dialog>
  )
}
