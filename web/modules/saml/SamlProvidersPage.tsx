import { IconLink, IconPlugConnected, IconUsers } from '@tabler/icons-react'
import type { PageRoute } from '#contract/core/pages.ts'
import { deleteSamlProvider, type ListedSamlProvider, listSamlProviders } from '#contract/saml/saml.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { pageAddress } from '#web/api/root.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { connectionStatuses, stateOf } from '#web/shared/connection-state.ts'
import { AddNew } from '#web/ui/AddNew.tsx'
import { confirm } from '#web/ui/confirm.ts'
import { dateOfInstant, formatDate, formatInstant } from '#web/ui/dates.ts'
import { deleteAction, editAction } from '#web/ui/grid/edit-and-delete.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Page } from '#web/ui/Page.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { toast, useToastSettings } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { samlToasts, showFailure } from './saml-toasts.ts'

/** SAML Settings: the identity providers, with what can be done to each. */
export function SamlProvidersPage() {
  const words = useWords()
  const navigate = usePageNavigate()
  const zone = useTimeZone()
  useToastSettings(samlToasts)
  const providers = useRead(listSamlProviders)
  const remove = useSave(deleteSamlProvider, { refresh: [listSamlProviders] })
  const go = (to: PageRoute, search?: Record<string, string>) => navigate(to, { search })
  const open = ({ Id }: ListedSamlProvider) => go(`/admin/saml/admin/${Id}`)
  const deleteIt = async ({ Id, Name }: ListedSamlProvider) => {
    const question = { text: words('saml.deleteQuestion', { name: Name }), verb: words('saml.delete') }
    if (!(await confirm({ ...question, danger: true }))) return
    try {
      await remove.run({ params: { samlId: Id } })
      toast.done(words('saml.deleted', { name: Name }))
    } catch (error) {
      showFailure(error, words('saml.deleteFailed'))
    }
  }
  const programsOf = ({ Programs }: ListedSamlProvider) =>
    Programs.map(({ CollegeName, ProgramName }) => `${CollegeName} - ${ProgramName}`).join(', ')
  const columns: GridColumn<ListedSamlProvider>[] = [
    { id: 'Name', header: words('saml.name'), identity: true, sortable: true },
    { id: 'EntityId', header: words('saml.entityId'), sortable: true, grow: 2 },
    {
      id: 'Programs',
      header: words('saml.programs'),
      width: 140,
      sortable: true,
      sortBy: ({ Programs }) => Programs.length,
      text: programsOf,
      cell: ({ Programs }) => words('saml.programCount', { count: Programs.length }),
    },
    {
      id: 'State',
      header: words('connections.state'),
      width: 140,
      text: (row) => words(`connections.${stateOf(row)}`),
      cell: (row) => (
        <StatusTag status={connectionStatuses[stateOf(row)]}>
          {words(`connections.${stateOf(row)}`)}
        </StatusTag>
      ),
    },
    {
      id: 'CertificateExpires',
      header: words('saml.expires'),
      width: 150,
      sortable: true,
      cell: ({ CertificateExpires }) => formatDate(dateOfInstant(CertificateExpires)),
    },
    {
      id: 'ModDate',
      header: words('saml.changed'),
      width: 120,
      sortable: true,
      cell: ({ ModDate }) => formatDate(dateOfInstant(ModDate)),
    },
  ]
  const add = <AddNew onClick={() => go('/admin/saml/admin/new')} />
  return (
    <Page
      title={words('saml.title')}
      count={providers.data && words('saml.count', { count: providers.data.length })}
      intro={words('saml.intro')}
      actions={add}
    >
      <Grid
        id="saml-providers"
        label={words('saml.title')}
        columns={columns}
        {...fromList(providers)}
        rowKey={(row) => row.Id}
        sortHere
        empty={{ text: words('saml.empty'), next: add }}
        onOpen={open}
        warning={(row) =>
          stateOf(row) === 'failing' &&
          words('connections.lastError', {
            date: formatInstant(row.LastErrorDate, zone),
            error: row.LastError,
          })
        }
        actions={(row) => [
          editAction(() => open(row)),
          {
            label: words('saml.link'),
            icon: <IconLink size={16} stroke={1.75} />,
            quick: true,
            onRun: () => go(`/admin/saml/admin/${row.Id}/link`),
          },
          {
            label: words('saml.users'),
            icon: <IconUsers size={16} stroke={1.75} />,
            onRun: () => go('/admin/saml/users', { provider: String(row.Id) }),
          },
          {
            label: words('connections.test'),
            icon: <IconPlugConnected size={16} stroke={1.75} />,
            // The provider itself says whether it knows this installation: in a window of its own, up to its sign-in page.
            onRun: () => void window.open(pageAddress(`saml/${row.Id}/login`), '_blank', 'noopener'),
          },
          deleteAction(() => void deleteIt(row), { reason: row.HasMultiple && words('saml.hasMultiple') }),
        ]}
      />
    </Page>
  )
}
