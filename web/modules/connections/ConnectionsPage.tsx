import { IconPlugConnected, IconPower } from '@tabler/icons-react'
import { useState } from 'react'
import {
  deleteConnection,
  type ListedConnection,
  listConnections,
} from '#contract/connections/connections.ts'
import type { PageRoute } from '#contract/core/pages.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { connectionStatuses, stateOf } from '#web/shared/connection-state.ts'
import { AddNew } from '#web/ui/AddNew.tsx'
import { attempt } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { confirm } from '#web/ui/confirm.ts'
import { formatInstant } from '#web/ui/dates.ts'
import { deleteAction, editAction } from '#web/ui/grid/edit-and-delete.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Page } from '#web/ui/Page.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { ConnectionTest } from './ConnectionTest.tsx'
import { useTurnOn } from './use-turn-on.ts'

const icon = { size: 16, stroke: 1.75 }

/** College Connections: OpenID Connect providers and learning management systems, how each is doing, and a test. */
export function ConnectionsPage() {
  const words = useWords()
  const zone = useTimeZone()
  const navigate = usePageNavigate()
  const connections = useRead(listConnections)
  const remove = useSave(deleteConnection, { refresh: [listConnections] })
  const turnOn = useTurnOn()
  const [tested, setTested] = useState<ListedConnection>()
  const go = (to: PageRoute) => navigate(to)
  const open = ({ Id }: ListedConnection) => go(`/admin/connections/${Id}`)
  const end = async ({ Id, Name }: ListedConnection) => {
    const text = words('connections.deleteQuestion', { name: Name })
    if (!(await confirm({ text, verb: words('connections.delete'), danger: true }))) return
    await attempt(async () => {
      await remove.run({ params: { connectionId: Id } })
      toast.done(words('connections.deleted', { name: Name }))
    })
  }
  const columns: GridColumn<ListedConnection>[] = [
    {
      id: 'Name',
      header: words('connections.name'),
      identity: true,
      sortable: true,
      grow: 2,
      detail: ({ Issuer }) => Issuer,
    },
    {
      id: 'State',
      header: words('connections.state'),
      width: 176,
      text: (row) => words(`connections.${stateOf(row)}`),
      cell: (row) => (
        <StatusTag status={connectionStatuses[stateOf(row)]}>
          {words(`connections.${stateOf(row)}`)}
        </StatusTag>
      ),
    },
    {
      id: 'Kind',
      header: words('lti.kind'),
      width: 140,
      sortable: true,
      text: ({ Kind }) => words(`lti.kinds.${Kind}`),
      cell: ({ Kind }) => words(`lti.kinds.${Kind}`),
    },
    {
      id: 'Programs',
      header: words('connections.programs'),
      width: 140,
      sortable: true,
      sortBy: ({ Programs }) => Programs.length,
      text: ({ Programs }) =>
        Programs.map(({ CollegeName, ProgramName }) => `${CollegeName} - ${ProgramName}`).join(', '),
      cell: ({ Programs }) => words('connections.programCount', { count: Programs.length }),
    },
    {
      id: 'LastSuccessDate',
      header: words('connections.lastSuccess'),
      width: 160,
      sortable: true,
      cell: ({ LastSuccessDate }) =>
        LastSuccessDate ? formatInstant(LastSuccessDate, zone) : words('connections.never'),
    },
  ]
  const add = (
    <>
      <Button variant="default" onClick={() => go('/admin/connections/new-lms')}>
        {words('lti.add')}
      </Button>
      <AddNew label={words('connections.add')} onClick={() => go('/admin/connections/new')} />
    </>
  )
  return (
    <Page
      title={words('connections.title')}
      count={connections.data && words('connections.count', { count: connections.data.length })}
      intro={words('connections.intro')}
      actions={add}
    >
      <Grid
        id="connections"
        label={words('connections.title')}
        columns={columns}
        {...fromList(connections)}
        rowKey={({ Id }) => Id}
        sortHere
        empty={{ text: words('connections.empty'), next: add }}
        onOpen={open}
        warning={(row) =>
          (stateOf(row) === 'failing' || (row.Stage !== 'on' && row.LastErrorDate !== null)) &&
          words('connections.lastError', {
            date: formatInstant(row.LastErrorDate, zone),
            error: row.LastError,
          })
        }
        actions={(row) => [
          ...(row.Stage === 'awaits_approval'
            ? [
                {
                  label: words('lti.registration.turnOn'),
                  icon: <IconPower {...icon} />,
                  quick: true,
                  onRun: () => void turnOn(row),
                },
              ]
            : []),
          ...(row.Stage === 'awaits_lms'
            ? []
            : [
                {
                  label: words('connections.test'),
                  icon: <IconPlugConnected {...icon} />,
                  quick: row.Stage === 'on',
                  onRun: () => setTested(row),
                },
              ]),
          editAction(() => open(row)),
          deleteAction(() => void end(row)),
        ]}
      />
      {tested && <ConnectionTest connection={tested} onClose={() => setTested(undefined)} />}
    </Page>
  )
}
