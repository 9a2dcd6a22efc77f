import { IconPencil } from '@tabler/icons-react'
import { getPlacementPlanById } from '#contract/placement/plans.ts'
import { useOpenAddress, usePageNavigate } from '#web/api/navigate.ts'
import { useParams } from '#web/api/place.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead } from '#web/api/use-call.ts'
import { useMay, useProgramId, useTimeZone } from '#web/api/use-state.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { Button } from '#web/ui/buttons.ts'
import { formatDate } from '#web/ui/dates.ts'
import { Page } from '#web/ui/Page.tsx'
import { Tabs } from '#web/ui/Tabs.tsx'
import { useWords } from '#web/words/use-words.ts'
import { AcceptedButton } from './AcceptedDialog.tsx'
import { CheckTab } from './CheckTab.tsx'
import { stateText } from './placement-words.ts'
import { StudentsTab } from './StudentsTab.tsx'

const start = { tab: 'check' }

/** A placement plan: what keeps it from working, its students and its sites. */
export function PlanPage() {
  const words = useWords()
  const programId = useProgramId()
  const timeZone = useTimeZone()
  const navigate = usePageNavigate()
  const openAddress = useOpenAddress()
  const mayPlan = useMay()('placement.plan')
  const { planId = '' } = useParams()
  const [{ tab }, setAt] = useAddress(start)
  const plan = useRead(getPlacementPlanById, { params: { programId, planId: Number(planId) } })
  const { data } = plan
  if (!data) return <Page title={words('placement.plan')}>{plan.error && <ReadProblem read={plan} />}</Page>
  return (
    <Page
      title={data.Name}
      breadcrumb={<PageLink href="/new/admin/placement">{words('placement.plans')}</PageLink>}
      count={[
        data.Rotations.length > 1 && data.Rotations.map(({ Name }) => Name).join(', '),
        `${formatDate(data.StartDate)} – ${formatDate(data.EndDate)}`,
        words('placement.blockCount', { count: data.Blocks.length }),
        words('placement.studentCount', { count: data.StudentIds.length }),
        stateText(words, data, timeZone),
      ]
        .filter(Boolean)
        .join(' · ')}
      actions={
        <>
          {mayPlan && (
            <Button
              variant="default"
              leftSection={<IconPencil size={16} stroke={1.75} aria-hidden />}
              onClick={() => navigate('/admin/placement/edit', { search: { id: data.Id } })}
            >
              {words('placement.edit')}
            </Button>
          )}
          <Button
            variant={data.AcceptedCount > 0 ? 'default' : 'filled'}
            onClick={() =>
              openAddress(`/new/admin/placement/${data.Id}/drafts${data.DraftCount > 0 ? '' : '?make=true'}`)
            }
          >
            {data.DraftCount > 0
              ? words('placement.draftCount', { count: data.DraftCount })
              : words(mayPlan ? 'placement.makeDraft' : 'placement.openDrafts')}
          </Button>
          <AcceptedButton plan={data} isNext />
        </>
      }
    >
      <Tabs
        label={words('placement.tabs')}
        value={tab === 'students' ? 'students' : 'check'}
        onChange={(next) => setAt({ tab: next })}
        tabs={[
          { value: 'check', label: words('placement.tabCheck'), content: <CheckTab plan={data} /> },
          {
            value: 'students',
            label: words('placement.tabStudents'),
            count: data.StudentIds.length,
            content: <StudentsTab plan={data} />,
          },
        ]}
      />
    </Page>
  )
}
