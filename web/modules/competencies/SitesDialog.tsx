import { useState } from 'react'
import { listProcedureSites } from '#contract/competencies/competency-grid.ts'
import { useRead } from '#web/api/use-call.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { formatDate } from '#web/ui/dates.ts'
import { CheckField } from '#web/ui/form/CheckField.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './SitesDialog.module.css'

/** Where each procedure of a list was logged lately; what students need and nobody logs comes first. */
export function SitesDialog(props: {
  params: { programId: number; listId: number }
  cohort: string
  /** Shows one procedure in the grid. */
  onProcedure: (procedureId: number) => void
  onClose: () => void
}) {
  const { params, cohort, onProcedure, onClose } = props
  const words = useWords()
  const [isNarrow, setNarrow] = useState(false)
  const sites = useRead(
    listProcedureSites,
    { params, query: { ...(cohort !== '' && { Cohort: cohort }) } },
    { keepsLast: false },
  )
  if (!sites.data && !sites.error) return null
  const all = (sites.data?.Procedures ?? []).toSorted(
    (one, other) => Number(other.Count === 0) - Number(one.Count === 0) || other.Students - one.Students,
  )
  const gaps = all.filter(({ Count, Students }) => Count === 0 && Students > 0)
  const shown = isNarrow ? gaps : all
  return (
    <Dialog
      opened
      onClose={onClose}
      losesNothing
      title={words('competencyProgress.bySite')}
      subtitle={
        sites.data && words('competencyProgress.bySiteNote', { date: formatDate(sites.data.FromDate) })
      }
      width={760}
      summary={
        gaps.length === 0
          ? words('competencyProgress.noGaps')
          : words('competencyProgress.bySiteGaps', { count: gaps.length })
      }
    >
      {sites.error && !sites.data ? (
        <PageMessage kind="error" text={sites.error.message} onRetry={() => void sites.refetch()} />
      ) : (
        <>
          <CheckField
            name="gaps"
            label={words('competencyProgress.onlyGaps')}
            value={isNarrow}
            onChange={setNarrow}
          />
          <ul className={classes.list}>
            {shown.map(({ Id, Name, MajorStudy, Students, Count, SiteCount, Sites }) => (
              <li key={Id}>
                <span className={classes.text}>
                  <button type="button" className={classes.name} onClick={() => onProcedure(Id)}>
                    {Name}
                  </button>
                  <span>
                    {MajorStudy} · {words('competencyProgress.needLine', { count: Students })}
                  </span>
                </span>
                {Count === 0 ? (
                  <StatusTag status={Students > 0 ? 'careful' : 'pending'}>
                    {words('competencyProgress.loggedNowhere')}
                  </StatusTag>
                ) : (
                  <span className={classes.sites}>
                    {[
                      ...Sites.map((site) =>
                        words('competencyProgress.siteTimes', { site: site.Name, count: site.Count }),
                      ),
                      SiteCount > Sites.length &&
                        words('competencyProgress.moreSites', { count: SiteCount - Sites.length }),
                    ]
                      .filter(Boolean)
                      .join(', ')}
                  </span>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  )
}
