import { IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { longestItem, readItemLines } from '#contract/competencies/competency-rules.ts'
import {
  type CompetencyScore,
  createExamItems,
  type ExamItem,
  listCompetencyScores,
  listExamItems,
  updateExamItem,
} from '#contract/competencies/exam-items.ts'
import { listProcedures } from '#contract/competencies/procedures.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { Button } from '#web/ui/buttons.ts'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { CheckField } from '#web/ui/form/CheckField.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { CheckCell, SelectCell } from '#web/ui/grid/InlineCells.tsx'
import { type InlineColumn, TextCell, useInlineEdit } from '#web/ui/grid/InlineGrid.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { CopyItemsDialog } from './CopyItemsDialog.tsx'
import { LinesDialog } from './LinesDialog.tsx'
import { PartsScreen } from './PartsScreen.tsx'
import { optionsOf } from './procedure-columns.tsx'
import { designed, useList, useParts, whenKnown } from './use-lists.ts'

const valueLabel = ({ Label, Value }: CompetencyScore['Values'][number]): string =>
  Value === null ? Label : `${Label} (${Value})`

const itemColumns = (words: Words, scores: readonly CompetencyScore[]): InlineColumn<ExamItem>[] => {
  const valuesOf = (scoreId: number) => scores.find(({ Id }) => Id === scoreId)?.Values ?? []
  return [
    {
      id: 'Text',
      header: words('competencies.item'),
      identity: true,
      grow: 3,
      minWidth: 240,
      edit: (editor) => (
        <TextCell editor={editor} field="Text" label={words('competencies.item')} maxLength={longestItem} />
      ),
    },
    {
      id: 'ScoreId',
      header: words('competencies.score'),
      width: 170,
      cell: ({ ScoreId }) => scores.find(({ Id }) => Id === ScoreId)?.Name ?? '',
      edit: ({ draft, set, error }) => (
        <SelectCell
          editor={{
            draft,
            // Values belong to their score.
            set: (part) => set({ ...part, DefaultValueId: null }),
            ...(error !== undefined && { error }),
          }}
          field="ScoreId"
          label={words('competencies.score')}
          options={scores
            .filter(({ Id, IsActive }) => IsActive || Id === draft.ScoreId)
            .map(({ Id, Name }) => ({ value: Id, label: Name }))}
        />
      ),
    },
    {
      id: 'DefaultValueId',
      header: words('competencies.defaultScore'),
      width: 170,
      cell: ({ ScoreId, DefaultValueId }) => {
        const value = valuesOf(ScoreId).find(({ Id }) => Id === DefaultValueId)
        return value ? valueLabel(value) : '–'
      },
      edit: (editor) =>
        editor.draft.IsCritical ? (
          words('competencies.criticalDefault')
        ) : (
          <SelectCell
            editor={editor}
            field="DefaultValueId"
            label={words('competencies.defaultScore')}
            none={words('competencies.none')}
            options={valuesOf(editor.draft.ScoreId).map((value) => ({
              value: value.Id,
              label: valueLabel(value),
            }))}
          />
        ),
    },
    {
      id: 'IsCritical',
      header: words('competencies.critical'),
      width: 110,
      cell: ({ IsCritical }) => (IsCritical ? words('competencies.yes') : '–'),
      edit: ({ draft, set }) => (
        <CheckCell
          editor={{
            draft,
            set: ({ IsCritical = false }) => set({ IsCritical, ...(IsCritical && { DefaultValueId: null }) }),
          }}
          field="IsCritical"
          label={words('competencies.criticalLong')}
        />
      ),
    },
  ]
}

/** What the exam of one procedure is graded by, and its copy to other procedures. */
export function ExamItemsPage() {
  const words = useWords()
  const design = useList()
  const { params: ofList } = design
  const { programId } = ofList
  const [at, setAddress] = useAddress({ procedure: null as number | null })
  const [isCopying, setCopying] = useState(false)
  const procedures = useRead(listProcedures, { params: ofList, query: {} }, whenKnown(design))
  const scores = useRead(listCompetencyScores, { params: { programId }, query: {} })
  const all = procedures.data ?? []
  const procedure = all.find(({ Id }) => Id === at.procedure) ?? all[0]
  const params = { programId, procedureId: procedure?.Id ?? 0 }
  const items = useRead(listExamItems, { params }, { isEnabled: procedure !== undefined, keepsLast: false })
  const create = useSave(createExamItems, designed)
  const update = useSave(updateExamItem, designed)
  const parts = useParts('exam-item')
  const offered = (scores.data ?? []).filter(({ IsActive }) => IsActive)
  const first = offered[0]?.Id ?? 0
  const inline = useInlineEdit<ExamItem>({
    rowKey: ({ Id }) => Id,
    blank: () => ({ Id: 0, Text: '', ScoreId: first, DefaultValueId: null, IsCritical: false }),
    check: ({ Text }): Record<string, string> =>
      Text.trim() ? {} : { Text: words('competencies.textMissing') },
    save: ({ Id, Text, ...rules }, isNew, basedOn) =>
      isNew
        ? create.run({ params, body: { Lines: Text, ...rules } })
        : update.run({ params: { ...params, itemId: Id }, body: { Text, ...rules } }, { basedOn }),
    remove: ({ Id }) => parts.remove([Id]),
    undo: ({ Id }) => parts.restore([Id]),
    deleted: ({ Text }) => words('competencies.deleted', { name: Text }),
  })
  const texts = (items.data ?? []).map(({ Text }) => Text)
  const noScores = scores.data && offered.length === 0
  return (
    <PartsScreen
      design={design}
      screen="exam-items"
      part="exam-item"
      title={words('competencies.examItems')}
      inline={inline}
      columns={itemColumns(words, scores.data ?? [])}
      nameOf={({ Text }) => Text}
      rows={procedures.data?.length === 0 ? [] : items.data}
      read={{ ...items, error: procedures.error ?? items.error }}
      chips={
        <SelectChip
          name={words('competencies.procedure')}
          fixed
          none={words('competencies.none')}
          options={optionsOf(all)}
          value={procedure ? String(procedure.Id) : null}
          onChange={(id) => setAddress({ procedure: id ? Number(id) : null })}
        />
      }
      filtersEnd={
        <PageLink href="/new/admin/competencies/scores">{words('competencies.scoresTitle')}</PageLink>
      }
      actions={
        <DisabledReason reason={texts.length === 0 && words('competencies.nothingToCopy')}>
          <Button
            variant="default"
            leftSection={<IconCopy size={17} stroke={1.75} aria-hidden />}
            onClick={() => setCopying(true)}
          >
            {words('competencies.copyItems')}
          </Button>
        </DisabledReason>
      }
      addReason={
        (all.length === 0 && words('competencies.procedureFirst')) ||
        (noScores && words('competencies.scoreFirst'))
      }
      count={(count) => words('competencies.itemCount', { count })}
      empty={words(
        all.length === 0
          ? 'competencies.procedureFirst'
          : noScores
            ? 'competencies.scoreFirst'
            : 'competencies.noItems',
      )}
      lines={(close) => (
        <LinesDialog
          part="exam-item"
          title={words('competencies.addLines')}
          subtitle={procedure?.Name}
          initialValues={{
            ScoreId: String(first) as string | null,
            DefaultValueId: null as string | null,
            IsCritical: false,
          }}
          fields={({ values, field, set }) => (
            <>
              <SelectField
                label={words('competencies.score')}
                required
                options={optionsOf(offered)}
                {...field('ScoreId')}
                onChange={(id) => {
                  set('ScoreId', id as typeof values.ScoreId)
                  set('DefaultValueId', null as typeof values.DefaultValueId)
                }}
              />
              <SelectField
                label={words('competencies.defaultScore')}
                clearable
                placeholder={words('competencies.none')}
                lockedBecause={values.IsCritical && words('competencies.criticalDefault')}
                options={(offered.find(({ Id }) => String(Id) === values.ScoreId)?.Values ?? []).map(
                  (value) => ({
                    value: String(value.Id),
                    label: valueLabel(value),
                  }),
                )}
                {...field('DefaultValueId')}
              />
              <CheckField label={words('competencies.criticalLong')} {...field('IsCritical')} />
            </>
          )}
          read={({ Lines }) => readItemLines(Lines, texts)}
          insert={({ Lines, ScoreId, DefaultValueId, IsCritical }) =>
            create.run({
              params,
              body: {
                Lines,
                ScoreId: Number(ScoreId),
                DefaultValueId: DefaultValueId && !IsCritical ? Number(DefaultValueId) : null,
                IsCritical,
              },
            })
          }
          onClose={close}
        />
      )}
    >
      {isCopying && procedure && (
        <CopyItemsDialog
          procedure={procedure}
          procedures={all}
          params={params}
          onClose={() => setCopying(false)}
        />
      )}
    </PartsScreen>
  )
}
