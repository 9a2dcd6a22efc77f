import { IconCheck, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { type ExemptionRequest, listExemptionRequests } from '#contract/requirements/exemption-requests.ts'
import { useLiveEvent } from '#web/api/live.ts'
import { useRead } from '#web/api/use-call.ts'
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
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { useWords } from '#web/words/use-words.ts'
import { AnswerRequestDialog } from './AnswerRequestDialog.tsx'
import { exemptionWords } from './rule-words.ts'

const pageSize = 50

/** Exemptions that students ask for, and what became of earlier ones. */
export function ExemptionRequestsPage() {
  const words = useWords()
  const programId = useProgramId()
  const { at, filter, reset, isFiltered, paging, pager } = useListAddress(
    listExemptionRequests,
    { page: 1, decided: false },
    pageSize,
  )
  const { page, pageSize: size } = paging
  const requests = useRead(listExemptionRequests, {
    params: { programId },
    query: { page, pageSize: size, Show: at.decided ? 'decided' : 'open' },
  })
  useLiveEvent('requirements', () => void requests.refetch(), 2_000)
  const [deciding, setDeciding] = useState<{ request: ExemptionRequest; isGranting: boolean }>()
  const total = requests.data?.Total ?? 0
  return (
    <Page
      title={words('requirements.requestsTitle')}
      intro={words('requirements.requestsIntro')}
      filters={
        <FilterBar isSet={isFiltered} onReset={reset}>
          <SelectChip
            name={words('requirements.showOnly')}
            none={words('requirements.requestsOpen')}
            options={[{ value: 'decided', label: words('requirements.requestsDecided') }]}
            value={at.decided ? 'decided' : null}
            onChange={(value) => filter({ decided: value !== null })}
          />
        </FilterBar>
      }
      footer={requests.data && words('requirements.requestsCount', { count: total })}
      footerEnd={<Pager {...pager} total={total} />}
    >
      <Grid
        id="exemption-requests"
        label={words('requirements.requestsTitle')}
        {...fromList(requests)}
        rowKey={({ Id }) => Id}
        empty={{ text: words(at.decided ? 'requirements.requestsNoneDecided' : 'requirements.requestsNone') }}
        columns={[
          {
            id: 'Student',
            header: words('requirements.student'),
            identity: true,
            minWidth: 170,
            grow: 2,
            cell: (row: ExemptionRequest) => <StudentLink id={row.StudentId}>{row.Student}</StudentLink>,
            text: ({ Student }: ExemptionRequest) => Student,
            detail: ({ StudentLevel }: ExemptionRequest) => StudentLevel,
          },
          { id: 'Requirement', header: words('requirements.requirement'), minWidth: 160, grow: 2 },
          {
            id: 'Kind',
            header: words('requirements.exemptKind'),
            width: 160,
            cell: ({ Kind }: ExemptionRequest) => words(exemptionWords[Kind]),
            text: ({ Kind }: ExemptionRequest) => words(exemptionWords[Kind]),
          },
          { id: 'Reason', header: words('requirements.exemptReason'), minWidth: 220, grow: 4 },
          {
            id: 'Until',
            header: words('requirements.exemptUntilLabel'),
            width: 110,
            cell: ({ Until }: ExemptionRequest) => formatDate(Until),
          },
          at.decided
            ? {
                id: 'State',
                header: words('requirements.requestState'),
                width: 180,
                cell: (row: ExemptionRequest) => (
                  <StatusTag status={row.State === 'granted' ? 'approved' : 'rejected'}>
                    {words(row.State === 'granted' ? 'requirements.granted' : 'requirements.declined')}
                  </StatusTag>
                ),
                detail: (row: ExemptionRequest) =>
                  [row.DecidedBy, row.DecidedAt && formatDate(dateOfInstant(row.DecidedAt)), row.Answer]
                    .filter(Boolean)
                    .join(' · '),
              }
            : {
                id: 'AskedAt',
                header: words('requirements.asked'),
                width: 110,
                cell: (row: ExemptionRequest) => formatDate(dateOfInstant(row.AskedAt)),
              },
        ]}
        actions={(request: ExemptionRequest) =>
          at.decided
            ? []
            : [
                {
                  label: words('requirements.grant'),
                  icon: <IconCheck size={16} stroke={1.75} />,
                  quick: true,
                  onRun: () => setDeciding({ request, isGranting: true }),
                },
                {
                  label: words('requirements.decline'),
                  icon: <IconX size={16} stroke={1.75} />,
                  quick: true,
                  onRun: () => setDeciding({ request, isGranting: false }),
                },
              ]
        }
      />
      {deciding && <AnswerRequestDialog {...deciding} onClose={() => setDeciding(undefined)} />}
    </Page>
  )
}
