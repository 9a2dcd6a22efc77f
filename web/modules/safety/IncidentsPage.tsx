import { IconCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { closeIncident, type Incident, listIncidents } from '#contract/safety/incidents.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { StudentLink } from '#web/shared/StudentLink.tsx'
import { dateOfInstant, formatDate } from '#web/ui/dates.ts'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { kindWords } from './incident-words.ts'
import { NoteDialog } from './NoteDialog.tsx'

const pageSize = 50

/** What students report: open, and closed with what came of it. */
export function IncidentsPage() {
  const words = useWords()
  const programId = useProgramId()
  const { at, filter, reset, isFiltered, paging, pager } = useListAddress(
    listIncidents,
    { page: 1, closed: false },
    pageSize,
  )
  const { page, pageSize: size } = paging
  const reports = useRead(listIncidents, {
    params: { programId },
    query: { page, pageSize: size, State: at.closed ? 'closed' : 'open' },
  })
  const close = useSave(closeIncident, { refresh: [listIncidents] })
  const [closing, setClosing] = useState<Incident>()
  const total = reports.data?.Total ?? 0
  const kindOf = ({ Kind }: Incident): string => words(kindWords[Kind])
  const detailsOf = ({ Action, Told, FollowUp, ClosedAt }: Incident): string =>
    [
      Action && words('safety.actionIs', { text: Action }),
      Told && words('safety.toldIs', { text: Told }),
      ClosedAt && words('safety.closedWith', { date: formatDate(dateOfInstant(ClosedAt)), text: FollowUp }),
    ]
      .filter(Boolean)
      .join(' · ')
  return (
    <Page
      title={words('safety.incidentsTitle')}
      intro={words('safety.incidentsStaffIntro')}
      filters={
        <FilterBar isSet={isFiltered} onReset={reset}>
          <SelectChip
            name={words('safety.show')}
            none={words('safety.stateOpen')}
            options={[{ value: 'closed', label: words('safety.stateClosed') }]}
            value={at.closed ? 'closed' : null}
            onChange={(value) => filter({ closed: value !== null })}
          />
        </FilterBar>
      }
      footer={reports.data && words('safety.incidentsCount', { count: total })}
      footerEnd={<Pager {...pager} total={total} />}
    >
      <Grid
        id="incidents"
        label={words('safety.incidentsTitle')}
        {...fromList(reports)}
        rowKey={({ Id }) => Id}
        empty={{ text: words(at.closed ? 'safety.noClosed' : 'safety.noIncidents') }}
        columns={[
          {
            id: 'Student',
            header: words('safety.student'),
            identity: true,
            minWidth: 170,
            grow: 2,
            cell: (row: Incident) => <StudentLink id={row.StudentId}>{row.Student}</StudentLink>,
            text: ({ Student }: Incident) => Student,
            detail: ({ Site }: Incident) => Site,
          },
          { id: 'Kind', header: words('safety.kind'), width: 190, cell: kindOf, text: kindOf },
          {
            id: 'Date',
            header: words('safety.date'),
            width: 110,
            cell: (row: Incident) => formatDate(row.Date),
          },
          {
            id: 'Description',
            header: words('safety.description'),
            minWidth: 260,
            grow: 4,
            detail: detailsOf,
          },
          {
            id: 'ReportedAt',
            header: words('safety.reported'),
            width: 110,
            cell: (row: Incident) => formatDate(dateOfInstant(row.ReportedAt)),
          },
        ]}
        actions={(row: Incident) =>
          at.closed
            ? []
            : [
                {
                  label: words('safety.close'),
                  icon: <IconCheck size={16} stroke={1.75} />,
                  quick: true,
                  onRun: () => setClosing(row),
                },
              ]
        }
      />
      {closing && (
        <NoteDialog
          title={words('safety.closeTitle', { name: closing.Student })}
          subtitle={[kindOf(closing), formatDate(closing.Date), closing.Description].join(' · ')}
          label={words('safety.followUp')}
          verb={words('safety.close')}
          maxLength={1000}
          onClose={() => setClosing(undefined)}
          onSave={async (FollowUp) => {
            await close.run({ params: { programId, incidentId: closing.Id }, body: { FollowUp } })
            toast.done(words('safety.didClose', { name: closing.Student }))
          }}
        />
      )}
    </Page>
  )
}
