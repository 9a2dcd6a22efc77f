import { IconPencil } from '@tabler/icons-react'
import { Fragment, useState } from 'react'
import {
  getMailTemplate,
  listMailTemplates,
  type MailParameter,
  type MailTemplateDetail,
  saveMailTemplate,
} from '#contract/communication/mail-templates.ts'
import {
  maxAddressLetters,
  problemOfAddresses,
  problemOfBody,
  problemOfSubject,
} from '#contract/communication/mail-templates-rules.ts'
import { toBase64 } from '#contract/core/fields.ts'
import { logFailure } from '#web/api/call.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { usePlace } from '#web/api/place.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useMay } from '#web/api/use-state.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { PageProblem } from '#web/shell/PageProblem.tsx'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { RedirectHome } from '#web/shell/RedirectHome.tsx'
import { CheckField } from '#web/ui/form/CheckField.tsx'
import { Form, FormActions, FormSection } from '#web/ui/form/Form.tsx'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { Html } from '#web/ui/Html.tsx'
import { Page } from '#web/ui/Page.tsx'
import { RichText } from '#web/ui/RichText.tsx'
import { Section } from '#web/ui/Section.tsx'
import { toast } from '#web/ui/toast.tsx'
import { WarningSign } from '#web/ui/WarningSign.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './mail-center.module.css'
import { reasonOf } from './mail-center-words.ts'

/** Edit mail template: its settings, parameters and email, with the legend beside them. */
export function MailTemplatePage() {
  return useMay()('mail-templates.manage') ? <Editor /> : <RedirectHome />
}

function Editor() {
  const words = useWords()
  const [{ id }] = useAddress({ id: null as number | null })
  // The mail center hands the description over, so that something is here at once.
  const handed = (usePlace().state as { description?: string }).description
  const template = useRead(
    getMailTemplate,
    { params: { templateId: id ?? 0 } },
    { isEnabled: id !== null, keepsLast: false, staleMs: 0 },
  )
  if (id === null) return <PageProblem kind="not-found" />
  if (template.error) return <ReadProblem read={template} />
  if (template.data) return <TemplateForm key={id} template={template.data} />
  return (
    <Page title={words('mailCenter.editTitle')} breadcrumb={words('mailCenter.title')} inset>
      {handed !== undefined && <Html html={handed} className={classes.description} />}
    </Page>
  )
}

function TemplateForm({ template }: { template: MailTemplateDetail }) {
  const words = useWords()
  const navigate = usePageNavigate()
  const save = useSave(saveMailTemplate, { refresh: [getMailTemplate, listMailTemplates] })
  const [failure, setFailure] = useState<string>()
  const { ID, Label, Legend, Needed, IsAlwaysSent } = template
  const parameters = template.Params.AllParams
  const hasSpanish = template.SpanishTemplate !== ''
  const form = useEditForm({
    initialValues: {
      sender: template.Sender,
      addressee: template.Addressee,
      carbonCopy: template.CarbonCopy,
      subject: template.Subject,
      mailParameters: Object.fromEntries(
        parameters.filter(({ Type }) => Type !== 'Note').map(({ Name, Value }) => [Name, Value]),
      ) as Record<string, string>,
      template: template.Template,
      spanishSubject: template.SpanishSubject,
      spanishTemplate: template.SpanishTemplate,
      isSpanishRight: template.IsSpanishCurrent,
    },
    rules: {
      sender: (text: string) => problemOfAddresses(text, Legend, 1),
      addressee: (text: string) => problemOfAddresses(text, Legend),
      carbonCopy: (text: string) => problemOfAddresses(text, Legend),
      subject: (text: string) => problemOfSubject(text, Legend),
      template: (html: string) => problemOfBody(html, Legend, Needed),
      ...(hasSpanish && {
        spanishSubject: (text: string) => problemOfSubject(text, Legend),
        spanishTemplate: (html: string) => problemOfBody(html, Legend, Needed),
      }),
    },
    labels: { template: words('mailCenter.email'), spanishTemplate: words('mailCenter.spanish') },
    draftKey: `mail-template-${ID}`,
    save: ({ template: html, spanishSubject, spanishTemplate, isSpanishRight, ...settings }) => {
      setFailure(undefined)
      // Whoever changes the English text alone has not said that the Spanish one is still right.
      const isSaid =
        spanishSubject !== template.SpanishSubject ||
        spanishTemplate !== template.SpanishTemplate ||
        (isSpanishRight && !template.IsSpanishCurrent)
      const spanish = { subject: spanishSubject, template: toBase64(spanishTemplate) }
      return save.run(
        {
          params: { templateId: ID },
          body: { ...settings, template: toBase64(html), ...(hasSpanish && isSaid && { spanish }) },
        },
        { basedOn: template },
      )
    },
    // The specification wants such a failure logged with its status and marked beside the title, nothing else.
    onFailure: (error) => {
      logFailure('Saving a mail template', error)
      setFailure(words('mailCenter.saveFailed', { message: reasonOf(error, words) }))
      return true
    },
  })
  const leave = () => navigate('/admin/mail-center', { hash: Label })
  const saved = () => {
    toast.done(words('mailCenter.saved', { label: Label }))
    leave()
  }
  const locked = IsAlwaysSent && words('mailCenter.onlyPerson')
  return (
    <Page
      title={words('mailCenter.editTitle')}
      count={Label}
      breadcrumb={<PageLink href={`/new/admin/mail-center#${Label}`}>{words('mailCenter.title')}</PageLink>}
      beside={failure && <WarningSign text={failure} />}
      actions={<FormActions form={form} onCancel={leave} onSaved={saved} always />}
      aside={<LegendAside template={template} />}
      inset
    >
      <div className={classes.head}>
        <Html html={template.Description} className={classes.description} />
        <PageLink
          href={`/new/admin/mail-center/edit-description?id=${ID}`}
          className={classes.edit}
          aria-label={words('mailCenter.editDescription')}
          title={words('mailCenter.editDescription')}
        >
          <IconPencil size={16} stroke={1.75} aria-hidden />
        </PageLink>
      </div>
      <Form form={form} onCancel={leave} onSaved={saved}>
        <FormSection name={words('mailCenter.settings')} purpose={words('mailCenter.settingsPurpose')}>
          <TextField
            label={words('mailCenter.from')}
            description={words('mailCenter.fromHint')}
            maxLength={maxAddressLetters}
            {...form.field('sender')}
          />
          <TextField
            label={words('mailCenter.to')}
            description={words('mailCenter.toHint')}
            lockedBecause={locked}
            maxLength={maxAddressLetters}
            {...form.field('addressee')}
          />
          <TextField
            label={words('mailCenter.cc')}
            description={words('mailCenter.ccHint')}
            lockedBecause={locked}
            maxLength={maxAddressLetters}
            {...form.field('carbonCopy')}
          />
          <TextField
            label={words('mailCenter.subject')}
            required
            maxLength={255}
            {...form.field('subject')}
          />
        </FormSection>
        {parameters.length > 0 && (
          <FormSection
            name={words('mailCenter.additional')}
            purpose={words('mailCenter.additionalPurpose')}
            wide
          >
            {parameters.map((parameter) => (
              <Parameter
                key={parameter.Name}
                parameter={parameter}
                value={form.values.mailParameters[parameter.Name] ?? ''}
                onChange={(value) =>
                  form.set('mailParameters', { ...form.values.mailParameters, [parameter.Name]: value })
                }
              />
            ))}
          </FormSection>
        )}
        <FormSection name={words('mailCenter.email')} purpose={words('mailCenter.textPurpose')} wide>
          <RichText
            label={words('mailCenter.email')}
            hideLabel
            value={form.values.template}
            onChange={(html) => form.set('template', html)}
            fields={Legend.map(({ Name, Note }) => ({ label: Note, insert: `{{${Name}}}` }))}
            height={420}
            {...(form.errors.template && { error: form.errors.template })}
          />
        </FormSection>
        {hasSpanish && (
          <FormSection
            name={words('mailCenter.spanish')}
            purpose={words(
              template.IsSpanishCurrent ? 'mailCenter.spanishPurpose' : 'mailCenter.spanishOutdated',
            )}
            wide
          >
            <TextField
              label={words('mailCenter.spanishSubject')}
              required
              maxLength={255}
              {...form.field('spanishSubject')}
            />
            <RichText
              label={words('mailCenter.spanish')}
              hideLabel
              value={form.values.spanishTemplate}
              onChange={(html) => form.set('spanishTemplate', html)}
              fields={Legend.map(({ Name, Note }) => ({ label: Note, insert: `{{${Name}}}` }))}
              height={320}
              {...(form.errors.spanishTemplate && { error: form.errors.spanishTemplate })}
            />
            {!template.IsSpanishCurrent && (
              <CheckField label={words('mailCenter.spanishRight')} {...form.field('isSpanishRight')} />
            )}
          </FormSection>
        )}
      </Form>
    </Page>
  )
}

/** One of the four kinds of parameters; a checked box is sent as 1. */
function Parameter(props: { parameter: MailParameter; value: string; onChange: (value: string) => void }) {
  const { parameter, value, onChange } = props
  const { Type, Name, Note } = parameter
  const field = { name: `parameter-${Name}`, label: Note, value, onChange }
  if (Type === 'Note') return <p className={classes.note}>{Note}</p>
  if (Type === 'Checkbox')
    return (
      <CheckField
        {...field}
        value={value === '1'}
        onChange={(isChecked) => onChange(isChecked ? '1' : '0')}
      />
    )
  return Type === 'Text' ? (
    <TextField {...field} hint={`{{parameter.${Name}}}`} maxLength={255} />
  ) : (
    <TextAreaField {...field} hint={`{{parameter.${Name}}}`} maxLength={4000} />
  )
}

function LegendAside({ template }: { template: MailTemplateDetail }) {
  const words = useWords()
  return (
    <>
      <Section title={words('mailCenter.legend')}>
        <p className={classes.quiet}>{words('mailCenter.legendPurpose')}</p>
        <dl className={classes.legend}>
          {template.Legend.map(({ Name, Note }) => (
            <Fragment key={Name}>
              <dt>
                <code>{`{{${Name}}}`}</code>
              </dt>
              <dd>{Note}</dd>
            </Fragment>
          ))}
        </dl>
      </Section>
      <Section title={words('mailCenter.words')}>
        <p className={classes.quiet}>
          {words('mailCenter.wordsTip', {
            singular: '{site}',
            plural: '{sites}',
            capitalSingular: '{Site}',
            capitalPlural: '{Sites}',
          })}
        </p>
      </Section>
    </>
  )
}
