import type { MajorStudy, Procedure } from '#contract/competencies/procedures.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { CheckCell, SelectCell } from '#web/ui/grid/InlineCells.tsx'
import { type InlineColumn, TextCell } from '#web/ui/grid/InlineGrid.tsx'
import type { Words } from '#web/words/plain-words.ts'

export const optionsOf = (rows: readonly { Id: number; Name: string }[]) =>
  rows.map(({ Id, Name }) => ({ value: String(Id), label: Name }))

/** A procedure as it begins. */
export const blankProcedure = (majorStudyId: number): Procedure => ({
  Id: 0,
  Name: '',
  MajorStudyId: majorStudyId,
  IsMandatory: true,
  LogsNeeded: 0,
  MayBeSimulated: false,
  NeedsLabCheck: false,
  IsAlwaysDirect: false,
  CommentBelow: null,
  PassingPercent: null,
  CountedLevelIds: null,
  ItemCount: 0,
  PathologyCount: 0,
})

type Tick = 'MayBeSimulated' | 'NeedsLabCheck' | 'IsAlwaysDirect'

export const procedureColumns = (
  words: Words,
  sections: readonly MajorStudy[],
  { listId, hasSection }: { listId: number; hasSection: boolean },
): InlineColumn<Procedure>[] => {
  const tick = (id: Tick, header: string, width: number): InlineColumn<Procedure> => ({
    id,
    header,
    width,
    cell: (row) => (row[id] ? words('competencies.yes') : '–'),
    edit: (editor) => <CheckCell editor={editor} field={id} label={header} />,
  })
  return [
    {
      id: 'Name',
      header: words('competencies.procedure'),
      identity: true,
      grow: 3,
      minWidth: 180,
      edit: (editor) => (
        <TextCell editor={editor} field="Name" label={words('competencies.procedure')} maxLength={255} />
      ),
    },
    {
      id: 'MajorStudyId',
      header: words('competencies.majorStudy'),
      grow: 2,
      minWidth: 120,
      hidden: !hasSection,
      cell: ({ MajorStudyId }) => sections.find(({ Id }) => Id === MajorStudyId)?.Name ?? '',
      edit: (editor) => (
        <SelectCell
          editor={editor}
          field="MajorStudyId"
          label={words('competencies.majorStudy')}
          options={sections.map(({ Id, Name }) => ({ value: Id, label: Name }))}
        />
      ),
    },
    {
      id: 'IsMandatory',
      header: words('competencies.kind'),
      width: 126,
      cell: ({ IsMandatory }) => words(IsMandatory ? 'competencies.mandatory' : 'competencies.elective'),
      edit: ({ draft, set }) => (
        <SelectCell<{ Kind: string }>
          editor={{
            draft: { Kind: draft.IsMandatory ? 'mandatory' : 'elective' },
            set: ({ Kind }) => set({ IsMandatory: Kind === 'mandatory' }),
          }}
          field="Kind"
          label={words('competencies.kind')}
          options={[
            { value: 'mandatory', label: words('competencies.mandatory') },
            { value: 'elective', label: words('competencies.elective') },
          ]}
        />
      ),
    },
    {
      id: 'LogsNeeded',
      header: words('competencies.logs'),
      width: 68,
      align: 'end',
      edit: (editor) => (
        <TextCell
          editor={editor}
          field="LogsNeeded"
          label={words('competencies.logsLong')}
          inputMode="numeric"
          maxLength={5}
        />
      ),
    },
    tick('MayBeSimulated', words('competencies.simulation'), 94),
    tick('NeedsLabCheck', words('competencies.labCheck'), 88),
    tick('IsAlwaysDirect', words('competencies.alwaysDirect'), 100),
    {
      id: 'ItemCount',
      header: words('competencies.exam'),
      width: 74,
      cell: ({ Id, ItemCount }) =>
        Id > 0 && (
          <PageLink href={`/new/admin/competencies/exam-items?list=${listId}&procedure=${Id}`}>
            {words('competencies.itemCount', { count: ItemCount })}
          </PageLink>
        ),
      text: ({ ItemCount }) => words('competencies.itemCount', { count: ItemCount }),
    },
  ]
}
