import { IconFileImport, IconListCheck } from '@tabler/icons-react'
import { useState } from 'react'
import { exportCompetencyList } from '#contract/competencies/competency-lists.ts'
import { readNameLines } from '#contract/competencies/competency-rules.ts'
import {
  createProcedures,
  listMajorStudies,
  listParticipationLevels,
  listProcedures,
  type Procedure,
} from '#contract/competencies/procedures.ts'
import { callAddress } from '#web/api/call.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useMay } from '#web/api/use-state.ts'
import { ExportMenu } from '#web/shell/ExportMenu.tsx'
import { Button } from '#web/ui/buttons.ts'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { useInlineEdit } from '#web/ui/grid/InlineGrid.tsx'
import { useIsPhone } from '#web/ui/use-is-phone.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './competencies.module.css'
import { LinesDialog } from './LinesDialog.tsx'
import { PartsScreen } from './PartsScreen.tsx'
import { ProcedureCard } from './ProcedureCard.tsx'
import { ManyProceduresDialog, ProcedureDialog } from './ProcedureDialogs.tsx'
import { blankProcedure, optionsOf, procedureColumns } from './procedure-columns.tsx'
import { removalOf, useDesignChange } from './use-design-change.tsx'
import { designed, useList, useParts, whenKnown } from './use-lists.ts'
import { inputOf, useProcedureChange } from './use-procedure-change.ts'
import { wholeNumber } from './whole-number.ts'

/** The procedures of a list: what unlocks their exams, and the rules of each. */
export function ProceduresPage() {
  const words = useWords()
  const navigate = usePageNavigate()
  const design = useList()
  const { params, list } = design
  const [{ section, kind, deleted }, setAddress] = useAddress({
    section: null as number | null,
    kind: '',
    deleted: false,
  })
  const isPhone = useIsPhone()
  const mayImport = useMay()('imports.run')
  const studies = useRead(listMajorStudies, { params, query: {} }, whenKnown(design))
  const procedures = useRead(listProcedures, { params, query: { deleted } }, whenKnown(design))
  const levels = useRead(listParticipationLevels, { params, query: {} }, whenKnown(design))
  const create = useSave(createProcedures, designed)
  const change = useProcedureChange(params)
  const ask = useDesignChange(params)
  const parts = useParts('procedure')
  const [detailed, setDetailed] = useState<Procedure>()
  const [many, setMany] = useState<{ rows: readonly Procedure[]; done: () => void }>()
  const sections = studies.data ?? []
  const chosen = sections.find(({ Id }) => Id === section)
  const inline = useInlineEdit<Procedure>({
    rowKey: ({ Id }) => Id,
    blank: () => blankProcedure(chosen?.Id ?? sections[0]?.Id ?? 0),
    check: ({ Name, LogsNeeded }): Record<string, string> => ({
      ...(Name.trim() ? {} : { Name: words('competencies.nameMissing') }),
      ...(wholeNumber(LogsNeeded, 10_000) === null && {
        LogsNeeded: words('competencies.wholeNumber', { most: '10,000' }),
      }),
    }),
    isWanted: (row, act) =>
      ask(
        act === 'save'
          ? { Kind: 'procedure', ProcedureId: row.Id, ...inputOf(row) }
          : removalOf('procedure', [row.Id]),
      ),
    save: async (draft, isNew, basedOn) => {
      if (!isNew) return change(basedOn, inputOf(draft))
      const { Name, CountedLevelIds: _levels, ...rules } = inputOf(draft)
      return create.run({ params, body: { Lines: Name, ...rules } })
    },
    remove: ({ Id }) => parts.remove([Id]),
    undo: ({ Id }) => parts.restore([Id]),
    deleted: ({ Name }) => words('competencies.deleted', { name: Name }),
  })
  const rows = procedures.data?.filter(
    ({ MajorStudyId, IsMandatory }) =>
      (!chosen || MajorStudyId === chosen.Id) && (kind === '' || IsMandatory === (kind === 'mandatory')),
  )
  const namesIn = (sectionId: number) =>
    (procedures.data ?? []).filter(({ MajorStudyId }) => MajorStudyId === sectionId).map(({ Name }) => Name)
  return (
    <PartsScreen
      design={design}
      screen="procedures"
      part="procedure"
      title={words('competencies.procedures')}
      inline={inline}
      columns={procedureColumns(words, sections, { listId: params.listId, hasSection: !chosen })}
      nameOf={({ Name }) => Name}
      rows={rows}
      hasDeleted
      read={procedures}
      chips={
        <>
          <SelectChip
            name={words('competencies.majorStudy')}
            options={optionsOf(sections)}
            value={chosen ? String(chosen.Id) : null}
            onChange={(id) => setAddress({ section: id ? Number(id) : null })}
          />
          <SelectChip
            name={words('competencies.kind')}
            options={[
              { value: 'mandatory', label: words('competencies.mandatory') },
              { value: 'elective', label: words('competencies.elective') },
            ]}
            value={kind || null}
            onChange={(value) => setAddress({ kind: value ?? '' })}
          />
        </>
      }
      actions={
        <>
          {(list || !design.lists.data) && (
            // It keeps its room while the list is not known yet.
            <div className={list ? undefined : classes.toCome} inert={!list}>
              <ExportMenu
                address={(Format) => callAddress(exportCompetencyList, { params, query: { Format } })}
              />
            </div>
          )}
          {mayImport && (
            <Button
              variant="default"
              leftSection={<IconFileImport size={17} stroke={1.75} aria-hidden />}
              onClick={() => navigate('/admin/imports', { search: { kind: 'competencies' } })}
            >
              {words('competencies.import')}
            </Button>
          )}
        </>
      }
      addReason={sections.length === 0 && words('competencies.majorStudyFirst')}
      orderReason={
        (!chosen && words('competencies.chooseMajorStudy')) ||
        (kind !== '' && words('competencies.leaveKind'))
      }
      more={(row) =>
        !isPhone && (
          <button
            type="button"
            className={classes.rowButton}
            aria-label={words('competencies.examRulesOf', { name: row.Name })}
            title={words('competencies.examRules')}
            onClick={() => setDetailed(row)}
          >
            <IconListCheck size={16} stroke={1.75} aria-hidden />
          </button>
        )
      }
      card={(row) => (
        <ProcedureCard
          procedure={row}
          section={chosen ? undefined : sections.find(({ Id }) => Id === row.MajorStudyId)?.Name}
          listId={params.listId}
          {...(design.mayDesign && { onRules: () => setDetailed(row) })}
        />
      )}
      bulkVerbs={(ticked, done) => [
        {
          label: words('competencies.changeMany'),
          main: true,
          onRun: () => setMany({ rows: ticked, done }),
        },
      ]}
      count={(count) => words('competencies.procedureCount', { count })}
      empty={words('competencies.noProcedures')}
      lines={(close) => (
        <LinesDialog
          part="procedure"
          title={words('competencies.addLines')}
          subtitle={list?.Name}
          initialValues={{ MajorStudyId: String(chosen?.Id ?? sections[0]?.Id ?? '') as string | null }}
          fields={(form) => (
            <SelectField
              label={words('competencies.majorStudy')}
              required
              options={optionsOf(sections)}
              {...form.field('MajorStudyId')}
            />
          )}
          read={({ Lines, MajorStudyId }) => readNameLines(Lines, namesIn(Number(MajorStudyId)))}
          insert={({ Lines, MajorStudyId }) => {
            const {
              Id: _id,
              Name: _name,
              CountedLevelIds: _levels,
              ItemCount: _,
              PathologyCount: __,
              ...rules
            } = blankProcedure(Number(MajorStudyId))
            return create.run({ params, body: { Lines, ...rules } })
          }}
          onClose={close}
        />
      )}
    >
      {detailed && list && (
        <ProcedureDialog
          procedure={detailed}
          list={list}
          params={params}
          levels={levels.data ?? []}
          onClose={() => setDetailed(undefined)}
        />
      )}
      {many && (
        <ManyProceduresDialog
          procedures={many.rows}
          params={params}
          onChanged={many.done}
          onClose={() => setMany(undefined)}
        />
      )}
    </PartsScreen>
  )
}
