import { IconEye, IconListDetails, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { removeItems, restoreItems } from '#contract/evaluations/evaluation-items.ts'
import type { Item } from '#contract/evaluations/evaluations.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useSave } from '#web/api/use-call.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { attempt } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import type { RowKey } from '#web/ui/grid/grid-types.ts'
import { AddNew, type InlineColumn, type InlineEdit, InlineGrid } from '#web/ui/grid/InlineGrid.tsx'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { BulkChangeDialog } from './BulkChangeDialog.tsx'
import { BulkInsertDialog } from './BulkInsertDialog.tsx'
import { FormPreview } from './FormPreview.tsx'
import { type NumberedItem, optionsOf } from './item-choices.ts'
import { CategoriesDialog, GroupsDialog } from './PartsDialogs.tsx'
import { TemplateChip, TemplateNav } from './TemplateNav.tsx'
import { type Design, designed, everyCategory } from './use-design.ts'

/** Takes items off the form and brings them back. */
export const useItemRemoval = (params: Design['params']) => {
  const remove = useSave(removeItems, designed)
  const restore = useSave(restoreItems, designed)
  return {
    remove: (Ids: number[]) => remove.run({ params, body: { Ids } }),
    restore: (Ids: number[]) => restore.run({ params, body: { Ids } }),
  }
}

export interface ItemScreenProps<Row extends NumberedItem> {
  kind: Item['Kind']
  design: Design
  inline: InlineEdit<Row>
  columns: readonly InlineColumn<Row>[]
  rows: Row[] | undefined
}

type Open = 'insert' | 'change' | 'preview' | 'categories' | 'groups'

/** What both item screens share: template and category, the four buttons, the grid, and their dialogs. */
export function ItemScreen<Row extends NumberedItem>(props: ItemScreenProps<Row>) {
  const { kind, design, inline, columns, rows } = props
  const words = useWords()
  const navigate = usePageNavigate()
  const [open, setOpen] = useState<Open>()
  const [selected, setSelected] = useState<ReadonlySet<RowKey>>(new Set())
  const removal = useItemRemoval(design.params)
  const template = design.template.data
  const { categoryId, params } = design
  const page = kind === 'scored' ? 'items' : 'fib-items'
  const title = words(kind === 'scored' ? 'evaluations.itemsTitle' : 'evaluations.fibItemsTitle')
  const changeName = words(kind === 'scored' ? 'evaluations.bulkScoreChange' : 'evaluations.bulkInputChange')
  const ticked = (rows ?? []).filter(({ Id }) => selected.has(Id))
  const close = () => setOpen(undefined)
  const noTemplate = design.templates.data?.length === 0
  const waits =
    (!template && words('evaluations.noTemplate')) ||
    (template?.Categories.length === 0 && words('evaluations.categoryFirst'))
  const noScores =
    kind === 'scored' &&
    template?.ScoreTypes.every(({ IsDeleted }) => IsDeleted) &&
    words('evaluations.scoresFirst')
  const removeTicked = async () => {
    const Ids = ticked.map(({ Id }) => Id)
    await attempt(async () => {
      const { Changed } = await removal.remove(Ids)
      setSelected(new Set())
      toast.done({
        title: words('evaluations.removedItems', { count: Changed }),
        undo: () => void attempt(() => removal.restore(Ids)),
      })
    })
  }
  const button = (name: string, to: Open, icon?: ReactNode, reason?: string | false) => (
    <DisabledReason reason={reason}>
      <Button variant="default" leftSection={icon} onClick={() => setOpen(to)}>
        {name}
      </Button>
    </DisabledReason>
  )
  if (noTemplate) {
    return (
      <Page title={title}>
        <PageMessage
          kind="empty"
          text={words('evaluations.noTemplates')}
          next={
            <Button onClick={() => navigate('/admin/evaluations/templates/edit')}>
              {words('evaluations.addTemplate')}
            </Button>
          }
        />
      </Page>
    )
  }
  const linkedCategory = categoryId === everyCategory ? design.firstCategoryId : everyCategory
  return (
    <Page
      title={title}
      breadcrumb={<TemplateNav templateId={design.ofNav} current={page} />}
      beside={<TemplateChip design={design} />}
      actions={
        <>
          {button(
            words('evaluations.preview'),
            'preview',
            <IconEye size={17} stroke={1.75} aria-hidden />,
            !template && words('evaluations.noTemplate'),
          )}
          {button(words('evaluations.bulkInsert'), 'insert', undefined, waits || noScores)}
          {button(
            changeName,
            'change',
            undefined,
            waits || (ticked.length === 0 && words('evaluations.tickFirst')),
          )}
          <AddNew inline={inline} label={words('evaluations.addNew')} reason={waits || noScores} />
        </>
      }
      filters={
        <FilterBar
          end={
            template &&
            template.Categories.length > 1 && (
              <PageLink
                href={`/new/admin/evaluations/${page}?template=${params.templateId}&category=${linkedCategory}`}
              >
                {words(
                  categoryId === everyCategory ? 'evaluations.oneCategory' : 'evaluations.multipleCategories',
                )}
              </PageLink>
            )
          }
        >
          <SelectChip
            name={words('evaluations.category')}
            none={words('evaluations.allCategories')}
            options={optionsOf(template?.Categories ?? [])}
            value={categoryId === everyCategory ? null : String(categoryId)}
            onChange={(id) => design.showCategory(id ? Number(id) : everyCategory)}
          />
          <Button size="xs" variant="default" onClick={() => setOpen('categories')}>
            {words('evaluations.categories')}
          </Button>
          {kind === 'scored' && (
            <Button size="xs" variant="default" onClick={() => setOpen('groups')}>
              {words('evaluations.groups')}
            </Button>
          )}
        </FilterBar>
      }
      footer={rows && words('evaluations.itemCount', { count: rows.length })}
      footerEnd={
        template && template.EvaluationCount > 0
          ? words('evaluations.changesCount', { count: template.EvaluationCount })
          : undefined
      }
      inset
    >
      <InlineGrid
        id={`evaluation-${page}`}
        label={title}
        inline={inline}
        columns={columns}
        rows={rows}
        noColumnChoice={false}
        actionsWidth={196}
        isLoading={design.template.isFetching}
        error={(design.templates.error ?? design.template.error)?.message}
        onRetry={() => void design.template.refetch()}
        empty={{
          text: waits || words('evaluations.noItems'),
          next: (
            <Button
              variant="default"
              leftSection={<IconListDetails size={17} stroke={1.75} aria-hidden />}
              onClick={() => setOpen(template?.Categories.length === 0 ? 'categories' : 'insert')}
            >
              {words(template?.Categories.length === 0 ? 'evaluations.categories' : 'evaluations.bulkInsert')}
            </Button>
          ),
        }}
        selection={{ selected, onChange: setSelected }}
        bulk={() => ({
          verbs: [
            { label: changeName, main: true, onRun: () => setOpen('change') },
            {
              label: words('evaluations.remove'),
              icon: <IconTrash size={16} stroke={1.75} />,
              onRun: () => void removeTicked(),
            },
          ],
        })}
      />
      {template && open === 'preview' && <FormPreview template={template} onClose={close} />}
      {template && open === 'insert' && (
        <BulkInsertDialog
          kind={kind}
          template={template}
          params={params}
          categoryId={categoryId}
          onClose={close}
        />
      )}
      {template && open === 'change' && (
        <BulkChangeDialog
          kind={kind}
          template={template}
          params={params}
          items={ticked}
          onClose={close}
          onChanged={() => {
            setSelected(new Set())
            close()
          }}
        />
      )}
      {template && open === 'categories' && (
        <CategoriesDialog template={template} params={params} onClose={close} />
      )}
      {template && open === 'groups' && <GroupsDialog template={template} params={params} onClose={close} />}
    </Page>
  )
}
