import { listPrograms, programLabel } from '#contract/programs/programs.ts'
import {
  createSamlProvider,
  getSamlProvider,
  listSamlProviders,
  type SamlProvider,
  updateSamlProvider,
} from '#contract/saml/saml.ts'
import { leaveTo } from '#web/api/navigate.ts'
import { useParams } from '#web/api/place.ts'
import { pageAddress } from '#web/api/root.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { OwnAddresses } from '#web/shared/college-connection.tsx'
import { PageLink } from '#web/shell/PageLink.tsx'
import { PageProblem } from '#web/shell/PageProblem.tsx'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { Form, FormActions, FormSection, FullWidth } from '#web/ui/form/Form.tsx'
import { required } from '#web/ui/form/rules.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { Page } from '#web/ui/Page.tsx'
import { toast, useToastSettings } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { CertificateField } from './CertificateField.tsx'
import { samlToasts, showFailure } from './saml-toasts.ts'

/** SAML Settings New, and the form of a provider that is there. */
export function SamlProviderPage() {
  const { samlId: given } = useParams()
  const samlId = Number(given ?? 0)
  useToastSettings(samlToasts)
  const provider = useRead(
    getSamlProvider,
    { params: { samlId } },
    { isEnabled: samlId > 0, keepsLast: false },
  )
  if (provider.error) return <ReadProblem read={provider} />
  if (given !== undefined && !(samlId > 0)) return <PageProblem kind="not-found" />
  if (samlId > 0 && !provider.data) return null
  return <ProviderForm key={samlId} provider={provider.data} />
}

function ProviderForm({ provider }: { provider: SamlProvider | undefined }) {
  const words = useWords()
  const programs = useRead(listPrograms, {}, { isEnabled: !provider })
  const refresh = { refresh: [listSamlProviders, getSamlProvider] }
  const create = useSave(createSamlProvider, refresh)
  const update = useSave(updateSamlProvider, refresh)
  const form = useEditForm({
    initialValues: {
      Name: provider?.Name ?? '',
      EntityId: provider?.EntityId ?? '',
      SsoUrl: provider?.SsoUrl ?? '',
      SloUrl: provider?.SloUrl ?? '',
      Certificate: provider?.Certificate ?? '',
      ProgramId: null as string | null,
    },
    rules: {
      Name: required(),
      EntityId: required(),
      SsoUrl: required(),
      Certificate: required(),
      ...(!provider && { ProgramId: required() }),
    },
    labels: { Certificate: words('saml.certificate') },
    draftKey: `saml-${provider?.Id ?? 0}`,
    save: async ({ ProgramId, ...body }) => {
      try {
        await (provider
          ? update.run({ params: { samlId: provider.Id }, body }, { basedOn: provider })
          : create.run({ body: { ...body, ProgramId: Number(ProgramId) } }))
      } catch (error) {
        showFailure(error, words(provider ? 'saml.updateFailed' : 'saml.createFailed'))
        throw error
      }
    },
  })
  const leave = () => leaveTo('/admin/saml/admin')
  const saved = () => {
    toast.done(words('saml.saved', { name: form.values.Name.trim() }))
    leave()
  }
  return (
    <Page
      title={provider?.Name ?? words('saml.newTitle')}
      breadcrumb={<PageLink href="/new/admin/saml/admin">{words('saml.title')}</PageLink>}
      actions={<FormActions form={form} onCancel={leave} onSaved={saved} always={!provider} />}
      inset
    >
      <Form form={form} onCancel={leave} onSaved={saved}>
        <FormSection name={words('saml.section')} purpose={words('saml.purpose')}>
          <FullWidth>
            <TextField
              label={words('saml.name')}
              hint={words('saml.nameHint')}
              required
              maxLength={255}
              {...form.field('Name')}
            />
          </FullWidth>
          <TextField label={words('saml.entityId')} required maxLength={1024} {...form.field('EntityId')} />
          <TextField
            label={words('saml.ssoUrl')}
            type="url"
            required
            maxLength={2000}
            {...form.field('SsoUrl')}
          />
          <TextField
            label={words('saml.sloUrl')}
            hint={words('saml.sloUrlHint')}
            type="url"
            maxLength={2000}
            {...form.field('SloUrl')}
          />
          {!provider && (
            <FullWidth>
              <SelectField
                label={words('saml.program')}
                required
                options={(programs.data ?? []).map((program) => ({
                  value: String(program.Id),
                  label: programLabel(program),
                }))}
                {...form.field('ProgramId')}
              />
            </FullWidth>
          )}
        </FormSection>
        <FormSection name={words('saml.certificate')} purpose={words('saml.certificatePurpose')}>
          <FullWidth>
            <CertificateField
              {...form.field('Certificate')}
              fileName={`${form.values.Name.trim() || words('saml.certificate')}.txt`}
            />
          </FullWidth>
        </FormSection>
        {provider && (
          <FormSection name={words('saml.ownSection')} purpose={words('saml.ownPurpose')}>
            <FullWidth>
              <OwnAddresses
                addresses={[
                  [words('saml.metadataAddress'), pageAddress('saml/metadata')],
                  [words('saml.answerAddress'), pageAddress('saml/acs')],
                  [words('saml.logoutAddress'), pageAddress('saml/logout')],
                  [words('saml.signInAddress'), pageAddress(`saml/${provider.Id}/login`)],
                ]}
              />
            </FullWidth>
          </FormSection>
        )}
      </Form>
    </Page>
  )
}
