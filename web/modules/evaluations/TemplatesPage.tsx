import { IconClipboardPlus, IconCopy, IconLink, IconListDetails, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import {
  copyEvaluationTemplate,
  deleteEvaluationTemplate,
  listEvaluationTemplates,
  restoreEvaluationTemplate,
  searchEvaluationTemplates,
  setTemplateActive,
  type TemplateRow,
} from '#contract/evaluations/evaluations.ts'
import { listStudentLevels } from '#contract/people/people.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { AddNew } from '#web/ui/AddNew.tsx'
import { attempt, deleteWithUndo } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { editAction } from '#web/ui/grid/edit-and-delete.tsx'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { NewEvaluationDialog } from './NewEvaluationDialog.tsx'
import { ResultsLink } from './ResultsLink.tsx'
import { TemplateLinksDialog } from './TemplateLinksDialog.tsx'

/** The evaluation templates: make, copy, switch on and off, delete with undo. */
export function TemplatesPage() {
  const words = useWords()
  const programId = useProgramId()
  const navigate = usePageNavigate()
  const templates = useRead(searchEvaluationTemplates, { params: { programId } })
  const levels = useRead(listStudentLevels, { params: { programId } }, { staleMs: 300_000 })
  const refresh = { refresh: [searchEvaluationTemplates, listEvaluationTemplates] }
  const remove = useSave(deleteEvaluationTemplate, refresh)
  const restore = useSave(restoreEvaluationTemplate, refresh)
  const setActive = useSave(setTemplateActive, refresh)
  const copy = useSave(copyEvaluationTemplate, refresh)
  const mayAssign = useMay()('evaluations.assign')
  const [assigned, setAssigned] = useState<{ template?: TemplateRow }>()
  const [linked, setLinked] = useState<TemplateRow>()
  const peopleOf = (row: TemplateRow): string =>
    words('evaluations.peopleOf', {
      evaluator: words(`evaluations.role_${row.EvaluatorRole}`),
      subject: words(`evaluations.role_${row.SubjectRole}`),
    })
  const open = (
    search: Record<string, string>,
    page: 'templates/edit' | 'items' | 'order-items' | 'status' = 'templates/edit',
  ) => navigate(`/admin/evaluations/${page}`, { search })
  const at = (row: TemplateRow) => ({ params: { programId, templateId: row.Id } })
  const levelsOf = ({ StudentLevelIds }: TemplateRow): string =>
    StudentLevelIds.length === 0
      ? words('evaluations.allLevels')
      : (levels.data ?? [])
          .filter(({ Id }) => StudentLevelIds.includes(Id))
          .map(({ Name }) => Name)
          .join(', ')
  const add = <AddNew onClick={() => open({})} />
  return (
    <Page
      title={words('evaluations.templates')}
      count={templates.data && words('evaluations.templateCount', { count: templates.data.length })}
      actions={
        <>
          <ResultsLink />
          {mayAssign && (
            <Button
              variant="default"
              leftSection={<IconClipboardPlus size={17} stroke={1.75} aria-hidden />}
              onClick={() => setAssigned({})}
            >
              {words('evaluations.addEvaluation')}
            </Button>
          )}
          {add}
        </>
      }
    >
      <Grid
        id="evaluation-templates"
        label={words('evaluations.templates')}
        {...fromList(templates)}
        rowKey={(row) => row.Id}
        sortHere
        empty={{ text: words('evaluations.noTemplates'), next: add }}
        onOpen={(row) => open({ id: String(row.Id) })}
        columns={[
          {
            id: 'Title',
            header: words('evaluations.title'),
            identity: true,
            sortable: true,
            grow: 3,
            minWidth: 220,
            detail: (row) => [row.FormType, levelsOf(row)].filter(Boolean).join(' · '),
          },
          {
            id: 'EvaluatorRole',
            header: words('evaluations.people'),
            grow: 2,
            minWidth: 180,
            cell: peopleOf,
            text: peopleOf,
          },
          {
            id: 'IsAutomatic',
            header: words('evaluations.automatic'),
            width: 100,
            cell: (row) => words(row.IsAutomatic ? 'evaluations.automaticOn' : 'evaluations.automaticOff'),
          },
          { id: 'ItemCount', header: words('evaluations.items'), width: 90, align: 'end', sortable: true },
          {
            id: 'EvaluationCount',
            header: words('evaluations.made'),
            width: 90,
            align: 'end',
            sortable: true,
          },
          {
            id: 'IsActive',
            header: words('evaluations.active'),
            width: 100,
            cell: (row) => (
              <input
                type="checkbox"
                className="p-tick"
                checked={row.IsActive}
                aria-label={`${words('evaluations.active')}: ${row.Title}`}
                onChange={() =>
                  void attempt(() => setActive.run({ ...at(row), query: { value: !row.IsActive } }))
                }
              />
            ),
          },
        ]}
        actionsWidth={210}
        actions={(row) => [
          editAction(() => open({ id: String(row.Id) })),
          {
            label: words('evaluations.items'),
            icon: <IconListDetails size={16} stroke={1.75} />,
            quick: true,
            onRun: () => open({ template: String(row.Id) }, 'items'),
          },
          ...(mayAssign && !row.IsAnonymous
            ? [
                {
                  label: words('evaluations.addEvaluation'),
                  icon: <IconClipboardPlus size={16} stroke={1.75} />,
                  reason: !row.IsOffered && words('evaluations.notOffered'),
                  onRun: () => setAssigned({ template: row }),
                },
              ]
            : []),
          ...(mayAssign && row.IsAnonymous
            ? [
                {
                  label: words('evaluations.linksOf'),
                  icon: <IconLink size={16} stroke={1.75} />,
                  quick: true,
                  reason: !row.IsOffered && words('evaluations.notOffered'),
                  onRun: () => setLinked(row),
                },
              ]
            : []),
          {
            label: words('evaluations.duplicate'),
            icon: <IconCopy size={16} stroke={1.75} />,
            quick: true,
            onRun: () =>
              void attempt(async () => {
                const made = await copy.run(at(row))
                toast.done({
                  title: words('evaluations.copied', { name: made.Title }),
                  undo: () => void attempt(() => remove.run(at({ ...row, Id: made.Id }))),
                })
              }),
          },
          {
            label: words('evaluations.delete'),
            icon: <IconTrash size={16} stroke={1.75} />,
            tone: 'danger',
            quick: true,
            onRun: () =>
              void deleteWithUndo({
                remove: () => remove.run(at(row)),
                restore: () => restore.run(at(row)),
                deleted: words('evaluations.deleted', { name: row.Title }),
              }),
          },
        ]}
      />
      {linked && (
        <TemplateLinksDialog
          programId={programId}
          template={linked}
          onClose={() => setLinked(undefined)}
          onNew={() => {
            setAssigned({ template: linked })
            setLinked(undefined)
          }}
        />
      )}
      {assigned && (
        <NewEvaluationDialog
          programId={programId}
          templateId={assigned.template?.Id}
          onClose={() => setAssigned(undefined)}
        />
      )}
    </Page>
  )
}
