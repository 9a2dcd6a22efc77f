import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { maxDocumentFileBytes } from '#contract/documents/documents-rules.ts'
import {
  type AffiliateAgreement,
  createAgreement,
  deleteAgreement,
  getAgreement,
  listAgreements,
  restoreAgreement,
  updateAgreement,
} from '#contract/sites/agreements.ts'
import { getSite, listSiteNames, mapSites, pageSites } from '#contract/sites/sites.ts'
import { CallError } from '#web/api/call.ts'
import { leaveTo } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId, useTimeZone } from '#web/api/use-state.ts'
import { EditPage } from '#web/shell/EditPage.tsx'
import { deleteWithUndo } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { dateOfInstant, formatDate } from '#web/ui/dates.ts'
import { CheckField } from '#web/ui/form/CheckField.tsx'
import { DateField } from '#web/ui/form/DateField.tsx'
import { FileField } from '#web/ui/form/FileField.tsx'
import { Form, FormActions, FormSection } from '#web/ui/form/Form.tsx'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { required } from '#web/ui/form/rules.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { type FieldError, useEditForm } from '#web/ui/form/use-edit-form.ts'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { SiteRows } from './SiteRows.tsx'

/** A new affiliation agreement, or the one whose id is in the address. */
export function AffiliateAgreementPage() {
  const programId = useProgramId()
  const [{ id, site }] = useAddress({ id: null as number | null, site: null as number | null })
  const agreement = useRead(
    getAgreement,
    { params: { programId, agreementId: id ?? 0 } },
    { isEnabled: id !== null, keepsLast: false, staleMs: 0 },
  )
  return (
    <EditPage id={id} read={agreement}>
      {(found) => (
        <AgreementForm
          programId={programId}
          siteId={found?.SiteId ?? site}
          {...(found && { agreement: found })}
        />
      )}
    </EditPage>
  )
}

/** Refusals of the server by the field of the form that is at fault. */
const refusalOf = (error: unknown): FieldError[] => {
  if (!(error instanceof CallError)) throw error
  if ([413, 415].includes(error.status)) return [{ Field: 'FileName', Message: error.message }]
  if (!error.Errors?.length) throw error
  return error.Errors.map(({ Field, Message }) => ({ Field: Field.replace(/^agreement\./, ''), Message }))
}

function AgreementForm(props: { programId: number; siteId: number | null; agreement?: AffiliateAgreement }) {
  const { programId, agreement } = props
  const words = useWords()
  const timeZone = useTimeZone()
  const sites = useRead(listSiteNames, { params: { programId } }, { staleMs: 300_000 })
  const refresh = { refresh: [listAgreements, getAgreement, getSite, pageSites, mapSites] }
  const create = useSave(createAgreement, refresh)
  const update = useSave(updateAgreement, refresh)
  const remove = useSave(deleteAgreement, refresh)
  const restore = useSave(restoreAgreement, refresh)
  const [file, setFile] = useState<File>()
  const form = useEditForm({
    initialValues: {
      SiteId: (props.siteId === null ? null : String(props.siteId)) as string | null,
      InitialDate: (agreement ? agreement.InitialDate : dateOfInstant(new Date(), timeZone)) as string | null,
      LastRenewalDate: agreement?.LastRenewalDate ?? null,
      TerminationDate: agreement?.TerminationDate ?? null,
      Terms: agreement?.Terms ?? '',
      Capacity: agreement?.Capacity ?? null,
      IsActive: agreement?.IsActive ?? true,
      IsApproved: agreement?.IsApproved ?? false,
      /** The name of the file that will be sent, so that choosing one counts as a change. */
      FileName: '',
      RemovesFile: false,
      Contacts: (agreement?.Contacts ?? []).map((contact) => ({ Id: 0, ...contact })),
      Notes: agreement?.Notes ?? '',
    },
    rules: {
      SiteId: required(words('agreements.required')),
    },
    labels: { FileName: words('agreements.document') },
    save: async ({ SiteId, FileName: _name, Contacts, ...values }) => {
      const body = {
        agreement: {
          ...values,
          SiteId: Number(SiteId),
          Contacts: Contacts.map(({ Id: _id, ...contact }) => contact),
        },
      }
      const sent = { files: file ? { file } : ({} as Record<string, File>) }
      try {
        await (agreement
          ? update.run(
              { params: { programId, agreementId: agreement.Id }, body },
              { ...sent, basedOn: agreement },
            )
          : create.run({ params: { programId }, body }, sent))
      } catch (error) {
        return refusalOf(error)
      }
    },
  })
  const { values } = form
  const leave = () => leaveTo('/admin/affiliate-agreements')
  const nameOfSite = sites.data?.find(({ Id }) => String(Id) === values.SiteId)?.Name ?? agreement?.Site ?? ''
  const saved = () => {
    toast.done(words('agreements.saved', { name: nameOfSite }))
    leave()
  }
  const deleteIt = async () => {
    // Only an agreement that is there can be deleted.
    const at = { params: { programId, agreementId: agreement!.Id } }
    const name = agreement!.Site
    const isDeleted = await deleteWithUndo({
      remove: () => remove.run(at),
      restore: () => restore.run(at),
      deleted: words('agreements.deleted', { name }),
      restored: words('agreements.restored', { name }),
    })
    if (!isDeleted) return
    form.release()
    leave()
  }
  const kept = values.RemovesFile ? null : agreement?.File
  return (
    <Page
      title={agreement?.Site ?? words('agreements.newTitle')}
      breadcrumb={words('agreements.title')}
      actions={<FormActions form={form} onCancel={leave} onSaved={saved} always={!agreement} />}
      inset
    >
      <Form
        form={form}
        onCancel={leave}
        onSaved={saved}
        {...(agreement && {
          foot: agreement.ModBy
            ? words('agreements.changedBy', {
                date: formatDate(dateOfInstant(new Date(agreement.ModDate), timeZone)),
                user: agreement.ModBy,
              })
            : words('agreements.changed', {
                date: formatDate(dateOfInstant(new Date(agreement.ModDate), timeZone)),
              }),
          danger: (
            <Button
              variant="subtle"
              color="red"
              leftSection={<IconTrash size={16} stroke={1.75} aria-hidden />}
              onClick={() => void deleteIt()}
            >
              {words('agreements.delete')}
            </Button>
          ),
        })}
      >
        <FormSection
          name={words('agreements.sectionAgreement')}
          purpose={words('agreements.sectionAgreementPurpose')}
        >
          <SelectField
            label={words('agreements.site')}
            required
            options={(sites.data ?? []).map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
            chosenLabel={agreement?.Site}
            {...form.field('SiteId')}
          />
          <NumberField
            label={words('agreements.capacity')}
            hint={words('agreements.capacityHint')}
            min={0}
            max={100_000}
            {...form.field('Capacity')}
          />
          <CheckField
            label={words('agreements.active')}
            description={words('agreements.activeDetail')}
            {...form.field('IsActive')}
          />
          <CheckField
            label={words('agreements.approved')}
            description={words('agreements.approvedDetail')}
            {...form.field('IsApproved')}
          />
        </FormSection>
        <FormSection
          name={words('agreements.sectionDates')}
          purpose={words('agreements.sectionDatesPurpose')}
        >
          <DateField label={words('agreements.initialDate')} {...form.field('InitialDate')} />
          <DateField label={words('agreements.lastRenewalDate')} {...form.field('LastRenewalDate')} />
          <TextField
            label={words('agreements.terms')}
            hint={words('agreements.termsHint')}
            description={words('agreements.termsDetail')}
            maxLength={255}
            {...form.field('Terms')}
          />
          <DateField label={words('agreements.terminationDate')} {...form.field('TerminationDate')} />
        </FormSection>
        <FormSection
          name={words('agreements.sectionDocument')}
          purpose={words('agreements.sectionDocumentPurpose')}
          wide
        >
          <FileField
            name="FileName"
            label={words(kept ? 'agreements.chooseOtherFile' : 'agreements.chooseFile')}
            hint={words('agreements.fileHint')}
            maxBytes={maxDocumentFileBytes}
            kept={kept ? { name: kept.Name, url: kept.Url, bytes: kept.ByteCount } : undefined}
            file={file}
            onChange={(next) => {
              setFile(next)
              form.set('FileName', next?.name ?? '')
            }}
            removeLabel={words('agreements.removeFile')}
            onRemove={() => form.set('RemovesFile', true)}
            error={form.errors.FileName}
          />
        </FormSection>
        <FormSection
          name={words('agreements.sectionContacts')}
          purpose={words('agreements.sectionContactsPurpose')}
          wide
        >
          <SiteRows
            field="Contacts"
            rows={values.Contacts}
            onChange={(rows) => form.set('Contacts', rows)}
            errors={form.errors}
            blank={() => ({ Id: 0, Name: '', Role: '', Email: '', Phone: '' })}
            addLabel={words('agreements.addContact')}
            nameOf={({ Name }, index) => Name || words('agreements.contactTitle', { number: index + 1 })}
            isLocked={false}
            cells={({ part }) => (
              <>
                <div>
                  <TextField
                    label={words('agreements.contactName')}
                    required
                    maxLength={255}
                    {...part('Name')}
                  />
                </div>
                <div>
                  <TextField label={words('agreements.role')} maxLength={100} {...part('Role')} />
                </div>
                <div>
                  <TextField
                    label={words('agreements.email')}
                    type="email"
                    maxLength={255}
                    {...part('Email')}
                  />
                </div>
                <div>
                  <TextField label={words('agreements.phone')} maxLength={50} {...part('Phone')} />
                </div>
              </>
            )}
          />
        </FormSection>
        <FormSection
          name={words('agreements.sectionNotes')}
          purpose={words('agreements.sectionNotesPurpose')}
          wide
        >
          <TextAreaField
            label={words('agreements.notes')}
            rows={4}
            maxLength={2000}
            {...form.field('Notes')}
          />
        </FormSection>
      </Form>
    </Page>
  )
}
