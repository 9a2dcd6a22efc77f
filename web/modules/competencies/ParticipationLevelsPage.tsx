import { readNameLines } from '#contract/competencies/competency-rules.ts'
import {
  createParticipationLevels,
  listMajorStudies,
  listParticipationLevels,
  type ParticipationLevel,
  updateParticipationLevel,
} from '#contract/competencies/procedures.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { CheckField } from '#web/ui/form/CheckField.tsx'
import { MultiSelectField } from '#web/ui/form/MultiSelectField.tsx'
import { CheckCell } from '#web/ui/grid/InlineCells.tsx'
import { TextCell, useInlineEdit } from '#web/ui/grid/InlineGrid.tsx'
import { useWords } from '#web/words/use-words.ts'
import { LinesDialog } from './LinesDialog.tsx'
import { PartsScreen } from './PartsScreen.tsx'
import { optionsOf } from './procedure-columns.tsx'
import { SectionsCell } from './SectionsCell.tsx'
import { removalOf, useDesignChange, useOfferBack } from './use-design-change.tsx'
import { designed, useList, useParts, whenKnown } from './use-lists.ts'

const idsOf = ({ In }: ParticipationLevel): number[] => In.map(({ MajorStudyId }) => MajorStudyId)

const inputOf = (level: ParticipationLevel) => ({
  Name: level.Name,
  IsCounted: level.IsCounted,
  MajorStudyIds: idsOf(level),
})

/** Participation levels: in which major studies a level is, and whether logs at it count towards an exam. */
export function ParticipationLevelsPage() {
  const words = useWords()
  const design = useList()
  const { params } = design
  const [{ deleted }] = useAddress({ deleted: false })
  const studies = useRead(listMajorStudies, { params, query: {} }, whenKnown(design))
  const levels = useRead(listParticipationLevels, { params, query: { deleted } }, whenKnown(design))
  const create = useSave(createParticipationLevels, designed)
  const update = useSave(updateParticipationLevel, designed)
  const ask = useDesignChange(params)
  const offerBack = useOfferBack()
  const parts = useParts('participation-level')
  const sections = studies.data ?? []
  const everywhere = sections.map(({ Id }) => ({ Id: 0, MajorStudyId: Id }))
  const inline = useInlineEdit<ParticipationLevel>({
    rowKey: ({ Id }) => Id,
    blank: () => ({ Id: 0, Name: '', IsCounted: true, In: everywhere }),
    check: ({ Name, In }): Record<string, string> => ({
      ...(Name.trim() ? {} : { Name: words('competencies.nameMissing') }),
      ...(In.length === 0 && { In: words('competencies.chooseOne') }),
    }),
    isWanted: (row, act) =>
      ask(
        act === 'save'
          ? { Kind: 'level', LevelId: row.Id, ...inputOf(row) }
          : removalOf('participation-level', [row.Id]),
      ),
    save: async (draft, isNew, basedOn) => {
      const { Name, ...rules } = inputOf(draft)
      if (isNew) return create.run({ params, body: { Lines: Name, ...rules } })
      const at = (levelId: number) => ({ ...params, levelId })
      const saved = await update.run({ params: at(draft.Id), body: { Name, ...rules } }, { basedOn })
      offerBack(Name, basedOn.Name, () =>
        update.run({ params: at(saved.Id), body: inputOf(basedOn) }, { basedOn: saved }),
      )
    },
    remove: ({ Id }) => parts.remove([Id]),
    undo: ({ Id }) => parts.restore([Id]),
    deleted: ({ Name }) => words('competencies.deleted', { name: Name }),
  })
  const placesOf = (row: ParticipationLevel): string => {
    const ids = new Set(idsOf(row))
    return sections.every(({ Id }) => ids.has(Id))
      ? words('competencies.allMajorStudies')
      : sections
          .filter(({ Id }) => ids.has(Id))
          .map(({ Name }) => Name)
          .join(', ')
  }
  const names = (levels.data ?? [])
    .filter((level) => level.In.length === sections.length)
    .map(({ Name }) => Name)
  return (
    <PartsScreen
      design={design}
      screen="participation-levels"
      part="participation-level"
      title={words('competencies.levels')}
      inline={inline}
      columns={[
        {
          id: 'Name',
          header: words('competencies.name'),
          identity: true,
          grow: 2,
          edit: (editor) => (
            <TextCell editor={editor} field="Name" label={words('competencies.name')} maxLength={255} />
          ),
        },
        {
          id: 'IsCounted',
          header: words('competencies.isCounted'),
          width: 190,
          cell: ({ IsCounted }) => words(IsCounted ? 'competencies.counts' : 'competencies.countsNot'),
          edit: (editor) => (
            <CheckCell editor={editor} field="IsCounted" label={words('competencies.isCounted')} />
          ),
        },
        {
          id: 'In',
          header: words('competencies.majorStudies'),
          grow: 3,
          cell: placesOf,
          text: placesOf,
          edit: ({ draft, set, error }) => (
            <SectionsCell
              label={words('competencies.majorStudies')}
              options={optionsOf(sections)}
              value={idsOf(draft)}
              error={error}
              onChange={(ids) => set({ In: ids.map((MajorStudyId) => ({ Id: 0, MajorStudyId })) })}
            />
          ),
        },
      ]}
      nameOf={({ Name }) => Name}
      rows={levels.data}
      hasDeleted
      read={levels}
      addReason={sections.length === 0 && words('competencies.majorStudyFirst')}
      count={(count) => words('competencies.levelCount', { count })}
      empty={words('competencies.noLevels')}
      footerEnd={words('competencies.levelsNote')}
      lines={(close) => (
        <LinesDialog
          part="participation-level"
          title={words('competencies.addLines')}
          subtitle={design.list?.Name}
          initialValues={{ IsCounted: true, MajorStudyIds: sections.map(({ Id }) => String(Id)) }}
          fields={(form) => (
            <>
              <MultiSelectField
                label={words('competencies.majorStudies')}
                required
                options={optionsOf(sections)}
                {...form.field('MajorStudyIds')}
              />
              <CheckField label={words('competencies.isCountedLong')} {...form.field('IsCounted')} />
            </>
          )}
          read={({ Lines }) => readNameLines(Lines, names)}
          insert={({ Lines, IsCounted, MajorStudyIds }) =>
            create.run({ params, body: { Lines, IsCounted, MajorStudyIds: MajorStudyIds.map(Number) } })
          }
          onClose={close}
        />
      )}
    />
  )
}
