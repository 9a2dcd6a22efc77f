import { IconCopy, IconEye, IconRestore, IconTrash } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import {
  cloneScoreType,
  deleteScoreType,
  listScoreTypes,
  restoreScoreType,
  type ScoreTypeRow,
} from '#contract/evaluations/score-types.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useFailedRows } from '#web/api/use-failed-rows.ts'
import { AddNew } from '#web/ui/AddNew.tsx'
import { Button } from '#web/ui/buttons.ts'
import { confirm } from '#web/ui/confirm.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { FilterBar } from '#web/ui/filters/FilterBar.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { editAction } from '#web/ui/grid/edit-and-delete.tsx'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './evaluations.module.css'
import { FormPreview } from './FormPreview.tsx'
import { optionsOf } from './item-choices.ts'
import { TemplateChip, TemplateNav } from './TemplateNav.tsx'
import { type Design, designed, useDesign } from './use-design.ts'

/** Add/Edit Score Values: the score types of a template, its deleted ones, and clones. */
export function ScoreTypesPage() {
  const words = useWords()
  const navigate = usePageNavigate()
  const design = useDesign()
  const { params } = design
  const [{ deleted }, setAddress] = useAddress({ deleted: false })
  const types = useRead(
    listScoreTypes,
    { params, query: { deleted } },
    { isEnabled: params.templateId > 0, keepsLast: false },
  )
  const remove = useSave(deleteScoreType, designed)
  const restore = useSave(restoreScoreType, designed)
  const { failed, attempt } = useFailedRows<number>()
  const [cloned, setCloned] = useState<ScoreTypeRow>()
  const [isPreviewed, setPreviewed] = useState(false)
  const template = design.template.data

  const at = (row: ScoreTypeRow) => ({ params: { ...params, scoreTypeId: row.Id } })
  const deleteIt = async (row: ScoreTypeRow) => {
    const text = words(row.IsDeleted ? 'evaluations.purgeQuestion' : 'evaluations.deleteQuestion', {
      name: row.Title,
    })
    const detail = row.ItemCount > 0 && words('evaluations.usedNote', { count: row.ItemCount })
    const verb = words(row.IsDeleted ? 'evaluations.purge' : 'evaluations.delete')
    if (!(await confirm({ text, detail, verb, danger: true }))) return
    if (await attempt(row.Id, `${verb} of a score type`, () => remove.run(at(row)))) {
      toast.done(words(row.IsDeleted ? 'evaluations.purged' : 'evaluations.deleted', { name: row.Title }))
    }
  }
  const restoreIt = async (row: ScoreTypeRow) => {
    const text = words('evaluations.restoreQuestion', { name: row.Title })
    if (!(await confirm({ text, verb: words('evaluations.restore') }))) return
    if (await attempt(row.Id, 'Restore of a score type', () => restore.run(at(row)))) {
      toast.done(words('evaluations.restored', { name: row.Title }))
    }
  }
  const edit = (row?: ScoreTypeRow) =>
    navigate('/admin/evaluations/score-types/edit', {
      search: { template: params.templateId, ...(row && { id: row.Id }) },
    })
  const columns = useMemo((): GridColumn<ScoreTypeRow>[] => {
    const scoresOf = ({ Values }: ScoreTypeRow) =>
      Values.map(({ Value, Label }) => (Value === null ? Label : `${Value} ${Label}`)).join(' · ')
    return [
      { id: 'Title', header: words('evaluations.title'), identity: true, sortable: true, minWidth: 160 },
      { id: 'Values', header: words('evaluations.scoreValues'), grow: 3, minWidth: 220, cell: scoresOf },
      {
        id: 'Comments',
        header: words('evaluations.commentFor'),
        width: 170,
        cell: ({ Values }) =>
          Values.filter(({ NeedsComment }) => NeedsComment)
            .map(({ Value, Label }) => Value ?? Label)
            .join(', ') || '–',
      },
      {
        id: 'ItemCount',
        header: words('evaluations.items'),
        width: 80,
        align: 'end',
        sortable: true,
      },
    ]
  }, [words])
  const preview = template && {
    ...template,
    Title: words('evaluations.scoreValues'),
    Instructions: '',
    IsAnonymous: true,
    Groups: [],
    Categories: [{ Id: 1, Name: template.Title }],
    ScoreTypes: types.data ?? [],
    Items: (types.data ?? []).map((type) => ({
      Id: type.Id,
      CategoryId: 1,
      Kind: 'scored' as const,
      Text: type.Title,
      ScoreTypeId: type.Id,
      GroupId: null,
      InputType: null,
      Choices: [],
      IsMandatory: false,
    })),
  }
  const add = <AddNew reason={!template && words('evaluations.noTemplate')} onClick={() => edit()} />
  return (
    <Page
      title={words('evaluations.scoreTypesTitle')}
      breadcrumb={<TemplateNav templateId={design.ofNav} current="score-types" />}
      beside={<TemplateChip design={design} />}
      actions={
        <>
          <DisabledReason reason={!template && words('evaluations.noTemplate')}>
            <Button
              variant="default"
              leftSection={<IconEye size={17} stroke={1.75} aria-hidden />}
              onClick={() => setPreviewed(true)}
            >
              {words('evaluations.preview')}
            </Button>
          </DisabledReason>
          {add}
        </>
      }
      filters={
        <FilterBar>
          <label className={classes.tick}>
            <input
              type="checkbox"
              className="p-tick"
              checked={deleted}
              onChange={(event) => setAddress({ deleted: event.currentTarget.checked })}
            />
            {words('evaluations.viewDeleted')}
          </label>
        </FilterBar>
      }
      footer={types.data && words('evaluations.scoreTypeCount', { count: types.data.length })}
    >
      <Grid
        id="evaluation-score-types"
        label={words('evaluations.scoreTypesTitle')}
        rows={design.templates.data?.length === 0 ? [] : types.data}
        rowKey={(row) => row.Id}
        sortHere
        isLoading={types.isFetching}
        error={(design.templates.error ?? types.error)?.message}
        onRetry={() => void types.refetch()}
        empty={{
          text: words(
            design.templates.data?.length === 0
              ? 'evaluations.noTemplates'
              : deleted
                ? 'evaluations.noDeleted'
                : 'evaluations.noScoreTypes',
          ),
        }}
        warning={(row) => failed.has(row.Id) && words('evaluations.lastChangeFailed')}
        columns={columns}
        actionsWidth={190}
        onOpen={(row) => !row.IsDeleted && edit(row)}
        actions={(row) => [
          editAction(() => edit(row), { reason: row.IsDeleted && words('evaluations.restoreFirst') }),
          ...(deleted
            ? [
                {
                  label: words('evaluations.restore'),
                  icon: <IconRestore size={16} stroke={1.75} />,
                  quick: true,
                  onRun: () => void restoreIt(row),
                },
              ]
            : []),
          {
            label: words('evaluations.clone'),
            icon: <IconCopy size={16} stroke={1.75} />,
            quick: true,
            onRun: () => setCloned(row),
          },
          {
            label: words(deleted ? 'evaluations.purge' : 'evaluations.delete'),
            icon: <IconTrash size={16} stroke={1.75} />,
            tone: 'danger' as const,
            quick: true,
            onRun: () => void deleteIt(row),
          },
        ]}
      />
      {cloned && (
        <CloneDialog
          row={cloned}
          design={design}
          attempt={(work) => attempt(cloned.Id, 'Cloning a score type', work)}
          onClose={() => setCloned(undefined)}
        />
      )}
      {preview && isPreviewed && <FormPreview template={preview} onClose={() => setPreviewed(false)} />}
    </Page>
  )
}

/** Copies a score type to a template other than its own; nothing happens until one is chosen. */
function CloneDialog(props: {
  row: ScoreTypeRow
  design: Design
  attempt: (work: () => Promise<unknown>) => Promise<boolean>
  onClose: () => void
}) {
  const { row, design, attempt, onClose } = props
  const words = useWords()
  const clone = useSave(cloneScoreType, designed)
  const [destination, setDestination] = useState<string | null>(null)
  const others = (design.templates.data ?? []).filter(({ Id }) => Id !== design.params.templateId)
  const run = async () => {
    const isDone = await attempt(() =>
      clone.run({
        params: design.params,
        query: { 'source-score-type-id': row.Id, 'destination-template-id': Number(destination) },
      }),
    )
    if (isDone) {
      const template = others.find(({ Id }) => String(Id) === destination)?.Title ?? ''
      toast.done(words('evaluations.cloned', { name: row.Title, template }))
    }
    onClose()
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('evaluations.cloneTitle', { name: row.Title })}
      actions={
        <DisabledReason reason={!destination && words('evaluations.chooseDestination')}>
          <Button loading={clone.isRunning} onClick={() => void run()}>
            {words('evaluations.clone')}
          </Button>
        </DisabledReason>
      }
    >
      <SelectField
        name="Destination"
        label={words('evaluations.destination')}
        required
        options={optionsOf(others)}
        value={destination}
        onChange={setDestination}
        description={others.length === 0 && words('evaluations.noOtherTemplate')}
      />
    </Dialog>
  )
}
