import { Button } from '@mantine/core'
import { IconCopy, IconListDetails, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import {
  copyEvaluationTemplate,
  deleteEvaluationTemplate,
  listEvaluationTemplates,
  restoreEvaluationTemplate,
  searchEvaluationTemplates,
  setTemplateActive,
  type TemplateRow,
} from '#contract/evaluations.ts'
import { listStudentLevels } from '#contract/people.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { attempt, deleteWithUndo } from '#web/ui/attempt.ts'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { ResultsLink } from './ResultsLink.tsx'

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
  const add = (
    <Button leftSection={<IconPlus size={17} stroke={1.75} aria-hidden />} onClick={() => open({})}>
      {words('evaluations.addNew')}
    </Button>
  )
  return (
    <Page
      title={words('evaluations.templates')}
      count={templates.data && words('evaluations.templateCount', { count: templates.data.length })}
      actions={
        <>
          <ResultsLink />
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
          { id: 'Title', header: words('evaluations.title'), identity: true, sortable: true, grow: 2 },
          {
            id: 'EvaluatorRole',
            header: words('evaluations.who'),
            cell: (row) => words(`evaluations.role_${row.EvaluatorRole}`),
          },
          {
            id: 'SubjectRole',
            header: words('evaluations.whom'),
            cell: (row) => words(`evaluations.role_${row.SubjectRole}`),
          },
          { id: 'FormType', header: words('evaluations.formType') },
          {
            id: 'StudentLevelIds',
            header: words('evaluations.studentLevels'),
            cell: levelsOf,
            text: levelsOf,
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
        actionsWidth={190}
        actions={(row) => [
          {
            label: words('evaluations.edit'),
            icon: <IconPencil size={16} stroke={1.75} />,
            quick: true,
            onRun: () => open({ id: String(row.Id) }),
          },
          {
            label: words('evaluations.items'),
            icon: <IconListDetails size={16} stroke={1.75} />,
            quick: true,
            onRun: () => open({ template: String(row.Id) }, 'items'),
          },
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
    </Page>
  )
}
