import { useMemo } from 'react'
import { partLimit, readNameLines } from '#contract/competencies/competency-rules.ts'
import {
  createMajorStudies,
  listMajorStudies,
  type MajorStudy,
  updateMajorStudy,
} from '#contract/competencies/procedures.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { CheckField } from '#web/ui/form/CheckField.tsx'
import { CheckCell } from '#web/ui/grid/InlineCells.tsx'
import { type InlineColumn, TextCell, useInlineEdit } from '#web/ui/grid/InlineGrid.tsx'
import { useWords } from '#web/words/use-words.ts'
import { LinesDialog } from './LinesDialog.tsx'
import { PartsScreen } from './PartsScreen.tsx'
import { removalOf, useDesignChange, useOfferBack } from './use-design-change.tsx'
import { designed, useList, useParts, whenKnown } from './use-lists.ts'
import { wholeNumber } from './whole-number.ts'

const inputOf = ({ Name, IsPatientCare, ElectivesNeeded }: MajorStudy) => ({
  Name,
  IsPatientCare,
  // A row that is edited in place has it as it was typed.
  ElectivesNeeded: Number(ElectivesNeeded),
})

/** Major studies: the sections of a list, and what each asks of its electives. */
export function MajorStudiesPage() {
  const words = useWords()
  const design = useList()
  const { params } = design
  const [{ deleted }] = useAddress({ deleted: false })
  const studies = useRead(listMajorStudies, { params, query: { deleted } }, whenKnown(design))
  const create = useSave(createMajorStudies, designed)
  const update = useSave(updateMajorStudy, designed)
  const ask = useDesignChange(params)
  const offerBack = useOfferBack()
  const parts = useParts('major-study')
  const inline = useInlineEdit<MajorStudy>({
    rowKey: ({ Id }) => Id,
    blank: () => ({
      Id: 0,
      Name: '',
      IsPatientCare: false,
      ElectivesNeeded: 0,
      ProcedureCount: 0,
      ElectiveCount: 0,
    }),
    check: ({ Name, ElectivesNeeded }): Record<string, string> => ({
      ...(Name.trim() ? {} : { Name: words('competencies.nameMissing') }),
      ...(wholeNumber(ElectivesNeeded, 1_000) === null && {
        ElectivesNeeded: words('competencies.wholeNumber', { most: '1,000' }),
      }),
    }),
    isWanted: async ({ Id }, act) => act === 'save' || ask(removalOf('major-study', [Id])),
    save: async (draft, isNew, basedOn) => {
      const { Name, ...rules } = inputOf(draft)
      if (isNew) return create.run({ params, body: { Lines: Name, ...rules } })
      const at = { ...params, majorStudyId: draft.Id }
      const saved = await update.run({ params: at, body: { Name, ...rules } }, { basedOn })
      offerBack(Name, basedOn.Name, () =>
        update.run({ params: at, body: inputOf(basedOn) }, { basedOn: saved }),
      )
    },
    remove: ({ Id }) => parts.remove([Id]),
    undo: ({ Id }) => parts.restore([Id]),
    deleted: ({ Name, ProcedureCount }) =>
      ProcedureCount > 0
        ? words('competencies.deletedWith', { name: Name, count: ProcedureCount })
        : words('competencies.deleted', { name: Name }),
  })
  const columns = useMemo(
    (): InlineColumn<MajorStudy>[] => [
      {
        id: 'Name',
        header: words('competencies.name'),
        identity: true,
        grow: 3,
        minWidth: 220,
        edit: (editor) => (
          <TextCell editor={editor} field="Name" label={words('competencies.name')} maxLength={255} />
        ),
      },
      {
        id: 'ProcedureCount',
        header: words('competencies.procedures'),
        width: 150,
        cell: ({ Id, ProcedureCount }) =>
          Id > 0 && (
            <PageLink href={`/new/admin/competencies/procedures?list=${params.listId}&section=${Id}`}>
              {words('competencies.procedureCount', { count: ProcedureCount })}
            </PageLink>
          ),
        text: ({ ProcedureCount }) => words('competencies.procedureCount', { count: ProcedureCount }),
      },
      {
        id: 'ElectivesNeeded',
        header: words('competencies.electivesNeeded'),
        width: 190,
        cell: ({ ElectivesNeeded, ElectiveCount }) =>
          words('competencies.ofElectives', { needed: ElectivesNeeded, count: ElectiveCount }),
        edit: (editor) => (
          <TextCell
            editor={editor}
            field="ElectivesNeeded"
            label={words('competencies.electivesNeeded')}
            inputMode="numeric"
            maxLength={4}
          />
        ),
      },
      {
        id: 'IsPatientCare',
        header: words('competencies.patientCare'),
        width: 130,
        cell: ({ IsPatientCare }) => (IsPatientCare ? words('competencies.yes') : '–'),
        edit: (editor) => (
          <CheckCell editor={editor} field="IsPatientCare" label={words('competencies.patientCare')} />
        ),
      },
    ],
    [words, params.listId],
  )
  const names = (studies.data ?? []).map(({ Name }) => Name)
  return (
    <PartsScreen
      design={design}
      screen="major-studies"
      part="major-study"
      title={words('competencies.majorStudies')}
      inline={inline}
      columns={columns}
      nameOf={({ Name }) => Name}
      rows={studies.data}
      hasDeleted
      read={studies}
      addReason={names.length >= partLimit && words('competencies.full')}
      count={(count) => words('competencies.majorStudyCount', { count })}
      empty={words('competencies.noMajorStudies')}
      lines={(close) => (
        <LinesDialog
          part="major-study"
          title={words('competencies.addLines')}
          subtitle={design.list?.Name}
          initialValues={{ IsPatientCare: false }}
          fields={(form) => (
            <CheckField label={words('competencies.patientCareLong')} {...form.field('IsPatientCare')} />
          )}
          read={({ Lines }) => readNameLines(Lines, names)}
          insert={(body) => create.run({ params, body })}
          onClose={close}
        />
      )}
    />
  )
}
