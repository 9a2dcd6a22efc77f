import { useRef, useState } from 'react'
import {
  type CompetencyList,
  type Examiner,
  examiners,
  type ProcedureMapping,
  updateCompetencyList,
} from '#contract/competencies/competency-lists.ts'
import { previewListMove, undoListMove } from '#contract/competencies/list-moves.ts'
import { listCohorts } from '#contract/people/people.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { PageProblem } from '#web/shell/PageProblem.tsx'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { offerUndo } from '#web/ui/attempt.ts'
import { CheckField } from '#web/ui/form/CheckField.tsx'
import { DateField } from '#web/ui/form/DateField.tsx'
import { Form, FormActions, FormSection, FullWidth } from '#web/ui/form/Form.tsx'
import { MultiSelectField } from '#web/ui/form/MultiSelectField.tsx'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { required } from '#web/ui/form/rules.ts'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { later } from '#web/ui/later.tsx'
import { Page } from '#web/ui/Page.tsx'
import { useWords } from '#web/words/use-words.ts'
import { CompetencyNav, ListChip } from './CompetencyNav.tsx'
import { ListSummaryBand } from './ListSummaryBand.tsx'
import type { AskedMove } from './MoveDialog.tsx'
import { SectionElectives } from './SectionElectives.tsx'
import { TermTargets } from './TermTargets.tsx'
import { useDesignChange, useOfferBack } from './use-design-change.tsx'
import { type Design, designed, useList } from './use-lists.ts'

/** The rules of a list: whose it is, how many electives, how exams are held; with what it asks in all. */
export function RulesPage() {
  const words = useWords()
  const design = useList()
  const { lists, list } = design
  if (lists.error) return <ReadProblem read={lists} />
  if (!lists.data) return null
  if (!list)
    return (
      <PageProblem
        kind="not-found"
        text={words('competencies.noLists')}
        next={<PageLink href="/new/admin/competencies/lists">{words('competencies.lists')}</PageLink>}
      />
    )
  return <RulesForm key={list.Id} design={design} list={list} />
}

/** Comes when students are about to get another list. */
const MoveDialog = later(() => import('./MoveDialog.tsx').then(({ MoveDialog: Loaded }) => Loaded))

/** What the list was, as it is saved. */
const formerOf = ({ Id: _id, StudentCount: _count, Sections, ...rules }: CompetencyList) => ({
  ...rules,
  SectionElectives: Sections.map(({ Id, ElectivesNeeded }) => ({ MajorStudyId: Id, ElectivesNeeded })),
})

/** Empty figures of the form are what the list says without one. */
const orNothing = (value: number | null): number => value ?? 0

function RulesForm({ design, list }: { design: Design; list: CompetencyList }) {
  const words = useWords()
  const { params } = design
  const update = useSave(updateCompetencyList, designed)
  const preview = useSave(previewListMove, { refresh: [] })
  const undo = useSave(undoListMove, designed)
  const [asked, setAsked] = useState<AskedMove>()
  const moved = useRef(0)
  const undoSave = useRef(() => {})
  const ask = useDesignChange(params)
  const offerBack = useOfferBack()
  const previewOf = (Cohorts: string[], IsForOthers: boolean, Mapping: ProcedureMapping) =>
    preview.run({ params, body: { Cohorts, IsForOthers, Mapping } })
  /** Asks about students whose list would change; answers for which procedures what they passed counts. */
  const askMove = async (Cohorts: string[], IsForOthers: boolean): Promise<ProcedureMapping> => {
    moved.current = 0
    const isSame = [...Cohorts].sort().join('\n') === [...list.Cohorts].sort().join('\n')
    if (isSame && IsForOthers === list.IsForOthers) return []
    const found = await previewOf(Cohorts, IsForOthers, [])
    if (found.Students === 0) return []
    const mapping = await new Promise<ProcedureMapping | undefined>((answer) =>
      setAsked({ preview: found, answer }),
    )
    setAsked(undefined)
    if (!mapping) throw new Error(words('competencies.moveCanceled'))
    moved.current = found.Students
    return mapping
  }
  const known = useRead(listCohorts, { params: { programId: params.programId } }, { staleMs: 60_000 })
  const electivesOf = Object.fromEntries(list.Sections.map((each) => [String(each.Id), each.ElectivesNeeded]))
  const form = useEditForm({
    initialValues: {
      Name: list.Name,
      Registry: list.Registry,
      EffectiveOn: list.EffectiveOn as string | null,
      Cohorts: list.Cohorts,
      IsForOthers: list.IsForOthers,
      ElectivesNeeded: list.ElectivesNeeded as number | null,
      SectionElectives: electivesOf as Record<string, number>,
      MostSimulated: list.MostSimulated,
      Examiners: list.Examiners as string[],
      VisitedWithinDays: list.VisitedWithinDays as number | null,
      RetryDays: list.RetryDays as number | null,
      RecheckMonths: list.RecheckMonths as number | null,
      CommentBelow: list.CommentBelow,
      PassingPercent: list.PassingPercent,
      PediatricMaxAge: list.PediatricMaxAge as number | null,
      GeriatricMinAge: list.GeriatricMinAge as number | null,
      GeriatricNeedsImpairment: list.GeriatricNeedsImpairment,
    },
    rules: {
      Name: required(),
      EffectiveOn: required(),
      Examiners: required(words('competencies.chooseOne')),
      PediatricMaxAge: required(),
      GeriatricMinAge: required(),
    },
    draftKey: `competency-list-${list.Id}`,
    addressKeys: ['list'],
    labels: {
      Name: words('competencies.name'),
      SectionElectives: words('competencies.electivesBySection'),
    },
    save: async (values) => {
      const Mapping = await askMove(values.Cohorts, values.IsForOthers)
      const ElectivesNeeded = orNothing(values.ElectivesNeeded)
      if (ElectivesNeeded !== list.ElectivesNeeded && !(await ask({ Kind: 'electives', ElectivesNeeded })))
        throw new Error(words('competencies.moveCanceled'))
      const after = await update.run(
        {
          params,
          body: {
            ...values,
            Mapping,
            EffectiveOn: values.EffectiveOn ?? '',
            ElectivesNeeded,
            VisitedWithinDays: orNothing(values.VisitedWithinDays),
            RetryDays: orNothing(values.RetryDays),
            RecheckMonths: orNothing(values.RecheckMonths),
            PediatricMaxAge: orNothing(values.PediatricMaxAge),
            GeriatricMinAge: orNothing(values.GeriatricMinAge),
            // The field offers these only.
            Examiners: values.Examiners as Examiner[],
            SectionElectives: list.Sections.map(({ Id }) => ({
              MajorStudyId: Id,
              ElectivesNeeded: values.SectionElectives[String(Id)] ?? 0,
            })),
          },
        },
        { basedOn: list },
      )
      undoSave.current = () =>
        offerBack(values.Name.trim(), list.Name, () =>
          update.run({ params, body: formerOf(list) }, { basedOn: after }),
        )
    },
  })
  const { values } = form
  const saved = () =>
    moved.current === 0
      ? undoSave.current()
      : offerUndo({
          deleted: words('competencies.gaveList', { count: moved.current, name: values.Name.trim() }),
          restore: () => undo.run({ params }),
          restored: words('competencies.moveUndone'),
        })
  const cohorts = [...new Set([...(known.data ?? []), ...list.Cohorts])]
  const others = (design.lists.data ?? []).filter(({ Id }) => Id !== list.Id)
  const ownerOf = (cohort: string) => others.find(({ Cohorts }) => Cohorts.includes(cohort))?.Name
  const taken = values.Cohorts.flatMap((cohort) => {
    const owner = ownerOf(cohort)
    return owner ? [words('competencies.leavesList', { cohort, list: owner })] : []
  })
  const formerOthers = others.find(({ IsForOthers }) => IsForOthers)
  const typed = {
    ElectivesNeeded: orNothing(values.ElectivesNeeded),
    Sections: list.Sections.map((each) => ({
      ...each,
      ElectivesNeeded: values.SectionElectives[String(each.Id)] ?? 0,
    })),
  }
  return (
    <Page
      title={words('competencies.rulesTitle')}
      breadcrumb={<CompetencyNav design={design} current="rules" />}
      beside={<ListChip design={design} />}
      actions={<FormActions form={form} onSaved={saved} />}
      footer={list.StudentCount > 0 && words('competencies.usedBy', { count: list.StudentCount })}
      inset
    >
      <ListSummaryBand list={typed} />
      {asked && (
        <MoveDialog
          asked={asked}
          list={values.Name.trim()}
          refresh={(mapping) => previewOf(values.Cohorts, values.IsForOthers, mapping)}
        />
      )}
      <Form form={form} onSaved={saved}>
        <FormSection name={words('competencies.list')} purpose={words('competencies.listPurpose')}>
          <TextField label={words('competencies.name')} required maxLength={100} {...form.field('Name')} />
          <TextField label={words('competencies.registry')} maxLength={100} {...form.field('Registry')} />
          <DateField label={words('competencies.effective')} required {...form.field('EffectiveOn')} />
          <MultiSelectField
            label={words('competencies.cohorts')}
            description={taken.join(' ') || words('competencies.cohortsHint')}
            placeholder={words('competencies.noCohort')}
            options={cohorts.map((cohort) => ({ value: cohort, label: cohort }))}
            {...form.field('Cohorts')}
          />
          <FullWidth>
            <CheckField
              label={words('competencies.isForOthers')}
              description={
                !list.IsForOthers && values.IsForOthers && formerOthers
                  ? words('competencies.othersMove', { list: formerOthers.Name })
                  : words('competencies.isForOthersHint')
              }
              lockedBecause={list.IsForOthers && words('competencies.isForOthersLocked')}
              {...form.field('IsForOthers')}
            />
          </FullWidth>
        </FormSection>
        <FormSection name={words('competencies.electives')} purpose={words('competencies.electivesPurpose')}>
          <NumberField
            label={words('competencies.electivesInAll')}
            min={0}
            max={1_000}
            {...form.field('ElectivesNeeded')}
          />
          <FullWidth>
            <SectionElectives
              sections={list.Sections}
              value={values.SectionElectives}
              onChange={(next) => form.set('SectionElectives', next)}
            />
          </FullWidth>
        </FormSection>
        <FormSection name={words('competencies.exams')} purpose={words('competencies.examsPurpose')}>
          <MultiSelectField
            label={words('competencies.examiners')}
            required
            options={examiners.map((value) => ({ value, label: words(`competencies.examiner_${value}`) }))}
            {...form.field('Examiners')}
          />
          <NumberField
            label={words('competencies.mostSimulated')}
            description={words('competencies.mostSimulatedHint')}
            placeholder={words('competencies.noLimit')}
            min={0}
            max={1_000}
            {...form.field('MostSimulated')}
          />
          <NumberField
            label={words('competencies.passingPercent')}
            description={words('competencies.passingPercentHint')}
            placeholder={words('competencies.none')}
            unit=" %"
            min={1}
            max={100}
            {...form.field('PassingPercent')}
          />
          <NumberField
            label={words('competencies.commentBelow')}
            description={words('competencies.commentBelowHint')}
            placeholder={words('competencies.none')}
            decimals={2}
            max={99_999}
            {...form.field('CommentBelow')}
          />
          <NumberField
            label={words('competencies.visitedWithin')}
            description={words('competencies.visitedWithinHint')}
            min={0}
            max={1_000}
            {...form.field('VisitedWithinDays')}
          />
          <NumberField
            label={words('competencies.retryDays')}
            description={words('competencies.retryDaysHint')}
            min={0}
            max={365}
            {...form.field('RetryDays')}
          />
          <NumberField
            label={words('competencies.recheck')}
            description={words('competencies.recheckHint')}
            min={0}
            max={120}
            {...form.field('RecheckMonths')}
          />
        </FormSection>
        <FormSection
          name={words('competencyProgress.termTargets')}
          purpose={words('competencyProgress.termTargetsPurpose')}
        >
          <FullWidth>
            <TermTargets params={params} />
          </FullWidth>
        </FormSection>
        <FormSection name={words('competencies.patients')} purpose={words('competencies.patientsPurpose')}>
          <NumberField
            label={words('competencies.pediatric')}
            required
            min={0}
            max={21}
            {...form.field('PediatricMaxAge')}
          />
          <NumberField
            label={words('competencies.geriatric')}
            required
            min={22}
            max={120}
            {...form.field('GeriatricMinAge')}
          />
          <FullWidth>
            <CheckField label={words('competencies.impaired')} {...form.field('GeriatricNeedsImpairment')} />
          </FullWidth>
        </FormSection>
      </Form>
    </Page>
  )
}
