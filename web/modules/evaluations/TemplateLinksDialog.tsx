import { useState } from 'react'
import { type EvaluationRow, searchEvaluations, type TemplateRow } from '#contract/evaluations/evaluations.ts'
import { useRead } from '#web/api/use-call.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { formatDate } from '#web/ui/dates.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './evaluations.module.css'
import { LinksDialog } from './LinksDialog.tsx'

const pageSize = 10

/** The open anonymous evaluations of a template, each with its links. */
export function TemplateLinksDialog({
  programId,
  template,
  onNew,
  onClose,
}: {
  programId: number
  template: TemplateRow
  /** Makes one more, with its first link. */
  onNew: () => void
  onClose: () => void
}) {
  const words = useWords()
  const [page, setPage] = useState(1)
  const [linked, setLinked] = useState<EvaluationRow>()
  const open = useRead(searchEvaluations, {
    params: { programId },
    query: { TemplateId: template.Id, Status: 0, page, pageSize },
  })
  if (linked) return <LinksDialog row={linked} programId={programId} onClose={() => setLinked(undefined)} />
  const total = open.data?.Total ?? 0
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('evaluations.linksOf')}
      subtitle={template.Title}
      summary={<Pager page={page} pageSize={pageSize} total={total} onPage={setPage} />}
      actions={<Button onClick={onNew}>{words('evaluations.addForm')}</Button>}
    >
      {open.error && <p role="alert">{open.error.message}</p>}
      {total === 0 && open.data && <p className={classes.quiet}>{words('evaluations.noOpenForms')}</p>}
      <ul className={classes.links}>
        {open.data?.Items.map((row) => (
          <li key={row.Id}>
            <div className={classes.linkState}>
              <span>
                {[
                  row.Subject || words('evaluations.role_program'),
                  row.Site === row.Subject ? '' : row.Site,
                  formatDate(row.Date),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
              <Button size="compact-sm" variant="default" onClick={() => setLinked(row)}>
                {words('evaluations.showLink')}
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
