import type { ReactNode } from 'react'
import type { Connection } from '#contract/connections/connections.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { Form, FormActions } from '#web/ui/form/Form.tsx'
import type { EditForm } from '#web/ui/form/use-edit-form.ts'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { ConnectionPeople } from './ConnectionPeople.tsx'
import { ConnectionPrograms } from './ConnectionPrograms.tsx'

/** The page of a connection of any kind: its form, and below it the programs and people that it reaches. */
export function ConnectionFrame<Values extends Record<string, unknown> & { Name: string }>({
  connection,
  newTitle,
  form,
  children,
}: {
  connection: Connection | undefined
  /** While there is none yet. */
  newTitle: string
  form: EditForm<Values>
  /** The sections of the form. */
  children: ReactNode
}) {
  const words = useWords()
  const navigate = usePageNavigate()
  const leave = () => navigate('/admin/connections')
  const saved = () => {
    toast.done(words('connections.saved', { name: form.values.Name.trim() }))
    leave()
  }
  return (
    <Page
      title={connection?.Name ?? newTitle}
      breadcrumb={<PageLink href="/new/admin/connections">{words('connections.title')}</PageLink>}
      actions={<FormActions form={form} onCancel={leave} onSaved={saved} always={!connection} />}
      inset
    >
      <Form form={form} onCancel={leave} onSaved={saved}>
        {children}
      </Form>
      {connection && (
        <>
          <ConnectionPrograms connection={connection} />
          <ConnectionPeople connectionId={connection.Id} />
        </>
      )}
    </Page>
  )
}
