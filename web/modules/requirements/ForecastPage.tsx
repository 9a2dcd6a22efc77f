import { type ForecastRow, getForecast } from '#contract/requirements/matrix.ts'
import { useRead } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { formatDate } from '#web/ui/dates.ts'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import { Page } from '#web/ui/Page.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './student-requirements.module.css'

/** Who will be ready on the first day at each site, by rotation. */
export function ForecastPage() {
  const words = useWords()
  const programId = useProgramId()
  const forecast = useRead(getForecast, { params: { programId }, query: {} })
  const advisedText = ({ Students, Names }: ForecastRow['Advised']) =>
    words('requirements.advised', { count: Students, names: Names.join(', ') })
  return (
    <Page title={words('requirements.forecast')} breadcrumb={words('requirements.matrixTitle')}>
      <Grid
        id="requirement-forecast"
        label={words('requirements.forecast')}
        {...fromList({ ...forecast, data: forecast.data?.Items })}
        rowKey={({ RotationId, SiteId }) => `${RotationId} ${SiteId}`}
        sortHere
        empty={{ text: words('requirements.forecastEmpty') }}
        columns={[
          {
            id: 'Site',
            header: words('requirements.site'),
            identity: true,
            sortable: true,
            minWidth: 200,
            grow: 2,
            detail: ({ Rotation }: ForecastRow) => Rotation,
          },
          {
            id: 'FirstDate',
            header: words('requirements.firstDay'),
            width: 110,
            sortable: true,
            cell: ({ FirstDate }: ForecastRow) => formatDate(FirstDate),
          },
          {
            id: 'Ready',
            header: words('requirements.ready'),
            width: 120,
            sortable: true,
            cell: ({ Ready, Students }: ForecastRow) => (
              <StatusTag status={Ready === Students ? 'approved' : 'careful'}>
                {words('requirements.readyOf', { ready: Ready, all: Students })}
              </StatusTag>
            ),
            text: ({ Ready, Students }: ForecastRow) => `${Ready}/${Students}`,
          },
          {
            id: 'Open',
            header: words('requirements.notReadyYet'),
            minWidth: 260,
            grow: 4,
            cell: ({ Open, Students, Ready, Advised }: ForecastRow) => (
              <span className={classes.open}>
                {Open.slice(0, 3).map(({ StudentId, Student, Missing }) => (
                  <PageLink
                    key={StudentId}
                    href={`/new/admin/requirements/students/${StudentId}`}
                    title={`${Student}: ${Missing}`}
                  >
                    {Student}: {Missing}
                  </PageLink>
                ))}
                {Students - Ready > 3 && words('requirements.andMore', { count: Students - Ready - 3 })}
                {Advised.Students > 0 && <span>{advisedText(Advised)}</span>}
              </span>
            ),
            text: ({ Open, Advised }: ForecastRow) =>
              [
                ...Open.map(({ Student, Missing }) => `${Student}: ${Missing}`),
                ...(Advised.Students > 0 ? [advisedText(Advised)] : []),
              ].join('; '),
          },
        ]}
      />
    </Page>
  )
}
