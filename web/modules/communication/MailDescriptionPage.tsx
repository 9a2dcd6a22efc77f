import { useState } from 'react'
import {
  describeMailTemplate,
  getMailTemplate,
  listMailTemplates,
  type MailTemplateDetail,
} from '#contract/communication/mail-templates.ts'
import { toBase64 } from '#contract/core/fields.ts'
import { logFailure } from '#web/api/call.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { usePictureUpload } from '#web/api/use-picture-upload.ts'
import { useMay } from '#web/api/use-state.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { PageProblem } from '#web/shell/PageProblem.tsx'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { RedirectHome } from '#web/shell/RedirectHome.tsx'
import { Form, FormActions, FormSection } from '#web/ui/form/Form.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { Page } from '#web/ui/Page.tsx'
import { RichText } from '#web/ui/RichText.tsx'
import { WarningSign } from '#web/ui/WarningSign.tsx'
import { useWords } from '#web/words/use-words.ts'
import { reasonOf } from './mail-center-words.ts'

/** Edit mail template description. */
export function MailDescriptionPage() {
  return useMay()('mail-templates.manage') ? <Editor /> : <RedirectHome />
}

function Editor() {
  const [{ id }] = useAddress({ id: null as number | null })
  const template = useRead(
    getMailTemplate,
    { params: { templateId: id ?? 0 } },
    { isEnabled: id !== null, keepsLast: false, staleMs: 0 },
  )
  if (id === null) return <PageProblem kind="not-found" />
  if (template.error) return <ReadProblem read={template} />
  return template.data ? <DescriptionForm key={id} template={template.data} /> : null
}

function DescriptionForm({ template }: { template: MailTemplateDetail }) {
  const { ID, Label, Description } = template
  const words = useWords()
  const navigate = usePageNavigate()
  const save = useSave(describeMailTemplate, { refresh: [getMailTemplate, listMailTemplates] })
  const upload = usePictureUpload(null)
  const [failure, setFailure] = useState<string>()
  const form = useEditForm({
    initialValues: { Description },
    labels: { Description: words('mailCenter.description') },
    draftKey: `mail-template-description-${ID}`,
    save: (values) => {
      setFailure(undefined)
      return save.run(
        { params: { templateId: ID }, body: toBase64(values.Description) },
        { basedOn: template },
      )
    },
    // The specification wants such a failure logged with its status and marked beside the title, nothing else.
    onFailure: (error) => {
      logFailure('Saving the description of a mail template', error)
      setFailure(words('mailCenter.saveFailed', { message: reasonOf(error, words) }))
      return true
    },
  })
  const leave = () => navigate('/admin/mail-center/edit', { search: { id: ID } })
  return (
    <Page
      title={words('mailCenter.descriptionTitle')}
      count={Label}
      breadcrumb={<PageLink href={`/new/admin/mail-center#${Label}`}>{words('mailCenter.title')}</PageLink>}
      beside={failure && <WarningSign text={failure} />}
      actions={<FormActions form={form} onCancel={leave} onSaved={leave} always />}
      inset
    >
      <Form form={form} onCancel={leave} onSaved={leave}>
        <FormSection
          name={words('mailCenter.description')}
          purpose={words('mailCenter.descriptionPurpose')}
          wide
        >
          <RichText
            label={words('mailCenter.description')}
            hideLabel
            value={form.values.Description}
            onChange={(html) => form.set('Description', html)}
            onUploadImage={upload}
            height={360}
          />
        </FormSection>
      </Form>
    </Page>
  )
}
