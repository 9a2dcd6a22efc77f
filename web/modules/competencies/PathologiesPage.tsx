import { readNameLines } from '#contract/competencies/competency-rules.ts'
import {
  createPathologies,
  getPathologySetting,
  listPathologies,
  listProcedures,
  type Pathology,
  type PathologySetting,
  savePathologySetting,
  updatePathology,
} from '#contract/competencies/procedures.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { attempt } from '#web/ui/attempt.ts'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { MultiSelectField } from '#web/ui/form/MultiSelectField.tsx'
import { SelectCell } from '#web/ui/grid/InlineCells.tsx'
import { TextCell, useInlineEdit } from '#web/ui/grid/InlineGrid.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './competencies.module.css'
import { LinesDialog } from './LinesDialog.tsx'
import { PartsScreen } from './PartsScreen.tsx'
import { optionsOf } from './procedure-columns.tsx'
import { type Design, designed, useList, useParts, whenKnown } from './use-lists.ts'

/** Pathologies: what a log may name of each procedure, and whether it has to. */
export function PathologiesPage() {
  const words = useWords()
  const design = useList()
  const { params } = design
  const [{ procedure, deleted }, setAddress] = useAddress({
    procedure: null as number | null,
    deleted: false,
  })
  const procedures = useRead(listProcedures, { params, query: {} }, whenKnown(design))
  const pathologies = useRead(listPathologies, { params, query: { deleted } }, whenKnown(design))
  const create = useSave(createPathologies, designed)
  const update = useSave(updatePathology, designed)
  const parts = useParts('pathology')
  const all = procedures.data ?? []
  const chosen = all.find(({ Id }) => Id === procedure)
  const nameOfProcedure = new Map(all.map(({ Id, Name }) => [Id, Name]))
  const inline = useInlineEdit<Pathology>({
    rowKey: ({ Id }) => Id,
    blank: () => ({ Id: 0, ProcedureId: chosen?.Id ?? all[0]?.Id ?? 0, Name: '' }),
    check: ({ Name }): Record<string, string> =>
      Name.trim() ? {} : { Name: words('competencies.nameMissing') },
    save: ({ Id, Name, ProcedureId }, isNew, basedOn) =>
      isNew
        ? create.run({ params, body: { Lines: Name, ProcedureIds: [ProcedureId] } })
        : update.run({ params: { ...params, pathologyId: Id }, body: { Name } }, { basedOn }),
    remove: ({ Id }) => parts.remove([Id]),
    undo: ({ Id }) => parts.restore([Id]),
    deleted: ({ Name }) => words('competencies.deleted', { name: Name }),
  })
  const rows = pathologies.data?.filter(({ ProcedureId }) => !chosen || ProcedureId === chosen.Id)
  const known = rows?.map(({ Name }) => Name) ?? []
  return (
    <PartsScreen
      design={design}
      screen="pathologies"
      part="pathology"
      title={words('competencies.pathologies')}
      inline={inline}
      columns={[
        {
          id: 'Name',
          header: words('competencies.pathology'),
          identity: true,
          grow: 2,
          edit: (editor) => (
            <TextCell editor={editor} field="Name" label={words('competencies.pathology')} maxLength={255} />
          ),
        },
        {
          id: 'ProcedureId',
          header: words('competencies.procedure'),
          grow: 2,
          cell: ({ ProcedureId }) => nameOfProcedure.get(ProcedureId) ?? '',
          edit: (editor) =>
            editor.draft.Id > 0 ? (
              nameOfProcedure.get(editor.draft.ProcedureId)
            ) : (
              <SelectCell
                editor={editor}
                field="ProcedureId"
                label={words('competencies.procedure')}
                options={all.map(({ Id, Name }) => ({ value: Id, label: Name }))}
              />
            ),
        },
      ]}
      nameOf={({ Name }) => Name}
      rows={rows}
      hasDeleted
      read={pathologies}
      chips={
        <SelectChip
          name={words('competencies.procedure')}
          options={optionsOf(all)}
          value={chosen ? String(chosen.Id) : null}
          onChange={(id) => setAddress({ procedure: id ? Number(id) : null })}
        />
      }
      filtersEnd={<PathologyRule params={params} mayDesign={design.mayDesign} />}
      addReason={all.length === 0 && words('competencies.procedureFirst')}
      orderReason={!chosen && words('competencies.chooseProcedure')}
      count={(count) => words('competencies.pathologyCount', { count })}
      empty={words('competencies.noPathologies')}
      lines={(close) => (
        <LinesDialog
          part="pathology"
          title={words('competencies.addLines')}
          subtitle={design.list?.Name}
          initialValues={{ ProcedureIds: chosen ? [String(chosen.Id)] : [] }}
          fields={(form) => (
            <MultiSelectField
              label={words('competencies.forProcedures')}
              required
              options={optionsOf(all)}
              {...form.field('ProcedureIds')}
            />
          )}
          read={({ Lines, ProcedureIds }) =>
            readNameLines(
              Lines,
              ProcedureIds.length === 1 && ProcedureIds[0] === String(chosen?.Id) ? known : [],
            )
          }
          insert={({ Lines, ProcedureIds }) =>
            create.run({ params, body: { Lines, ProcedureIds: ProcedureIds.map(Number) } })
          }
          onClose={close}
        />
      )}
    />
  )
}

/** Whether logs name the pathology, for all lists of the program; saved at once. */
function PathologyRule({ params, mayDesign }: { params: Design['params']; mayDesign: boolean }) {
  const words = useWords()
  const { programId } = params
  const setting = useRead(getPathologySetting, { params: { programId } })
  const save = useSave(savePathologySetting, { refresh: [getPathologySetting] })
  // It keeps its room until it is known.
  const data = setting.data ?? { IsAsked: 'optional' as const, AllowsOther: false }
  const change = (part: Partial<PathologySetting>) =>
    void attempt(() => save.run({ params: { programId }, body: { ...data, ...part } }, { basedOn: data }))
  if (!mayDesign && setting.data)
    return <span className={classes.quiet}>{words(`competencies.asked_${data.IsAsked}`)}</span>
  return (
    <span className={classes.setting} data-unknown={!setting.data || undefined}>
      <SelectChip
        name={words('competencies.asked')}
        fixed
        options={(['off', 'optional', 'required'] as const).map((value) => ({
          value,
          label: words(`competencies.asked_${value}`),
        }))}
        value={data.IsAsked}
        onChange={(value) => value && change({ IsAsked: value as PathologySetting['IsAsked'] })}
      />
      <label className={classes.tick}>
        <input
          type="checkbox"
          className="p-tick"
          checked={data.AllowsOther}
          disabled={data.IsAsked === 'off'}
          onChange={(event) => change({ AllowsOther: event.currentTarget.checked })}
        />
        {words('competencies.allowsOther')}
      </label>
    </span>
  )
}
