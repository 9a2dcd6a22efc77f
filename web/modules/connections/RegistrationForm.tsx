import { useState } from 'react'
import { getConnection, listConnections } from '#contract/connections/connections.ts'
import { createLtiRegistration, type LtiRegistration } from '#contract/connections/lti.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useSave } from '#web/api/use-call.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { Form, FormActions, FormSection } from '#web/ui/form/Form.tsx'
import { required } from '#web/ui/form/rules.ts'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { Page } from '#web/ui/Page.tsx'
import { useWords } from '#web/words/use-words.ts'
import { AccessSection } from './AccessSection.tsx'
import { AddressShown } from './AddressShown.tsx'
import { NameField } from './name-fields.tsx'

/** Begins the connection of an LMS that registers by itself: what it may reach, and then the address for it. */
export function RegistrationForm() {
  const words = useWords()
  const navigate = usePageNavigate()
  const create = useSave(createLtiRegistration, { refresh: [listConnections, getConnection] })
  const [made, setMade] = useState<LtiRegistration>()
  const leave = () => navigate('/admin/connections')
  const form = useEditForm({
    initialValues: { Name: '', ProgramId: null as string | null, AccessLevel: null as string | null },
    rules: { Name: required(), ProgramId: required(), AccessLevel: required() },
    save: async ({ Name, ProgramId, AccessLevel }) => {
      const body = { Name, ProgramId: Number(ProgramId), AccessLevel: Number(AccessLevel) }
      setMade(await create.run({ body }))
    },
  })
  return (
    <Page
      title={words('lti.registration.newTitle')}
      breadcrumb={<PageLink href="/new/admin/connections">{words('connections.title')}</PageLink>}
      actions={<FormActions form={form} onCancel={leave} saveLabel={words('lti.registration.make')} always />}
      inset
    >
      <Form form={form} onCancel={leave}>
        <FormSection name={words('lti.registration.section')} purpose={words('lti.registration.purpose')}>
          <NameField hint={words('lti.nameHint')} {...form.field('Name')} />
        </FormSection>
        <AccessSection program={form.field('ProgramId')} level={form.field('AccessLevel')} />
      </Form>
      {made && <AddressShown made={made} onClose={leave} />}
    </Page>
  )
}
