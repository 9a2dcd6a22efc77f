import {
  createRequirement,
  listRequirements,
  type Requirement,
  updateRequirement,
} from '#contract/requirements/requirement-design.ts'
import type { RuleField } from '#contract/requirements/requirement-fields.ts'
import {
  isYearDay,
  type RequirementKind,
  type RuleKind,
  requirementKinds,
  ruleKinds,
  type Schedule,
  type Scope,
  scopes,
} from '#contract/requirements/requirement-rules.ts'
import { leaveTo } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { useSchedulingOptions } from '#web/shared/use-scheduling-options.ts'
import { PageProblem } from '#web/shell/PageProblem.tsx'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { Form, FormActions, FormSection } from '#web/ui/form/Form.tsx'
import { MultiSelectField } from '#web/ui/form/MultiSelectField.tsx'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { required } from '#web/ui/form/rules.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { SwitchField } from '#web/ui/form/SwitchField.tsx'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { kindWords, slashed } from './rule-words.ts'

const ruleNames = {
  until: 'requirements.ruleNameUntil',
  months: 'requirements.ruleNameMonths',
  once: 'requirements.ruleNameOnce',
  season: 'requirements.ruleNameSeason',
  series: 'requirements.ruleNameSeries',
  signed: 'requirements.ruleNameSigned',
  result: 'requirements.ruleNameResult',
} as const
const scopeNames = {
  program: 'requirements.forAll',
  site: 'requirements.forSites',
  perSite: 'requirements.forEachSite',
} as const
const titers = {
  none: 'requirements.titerNone',
  instead: 'requirements.titerInstead',
  after: 'requirements.titerAfter',
} as const

const listed = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)

/** 'Heplisav-B: 28' and '3 doses: 28, 56', one a line. Undefined where a line is something else. */
const readSchedules = (text: string): Schedule[] | undefined => {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const read = lines.flatMap((line): Schedule[] => {
    const [, name, days] = /^(.+):\s*([\d,\s]*)$/.exec(line.trim()) ?? []
    if (name === undefined || days === undefined) return []
    const MinDays = listed(days).map(Number)
    return [{ Name: name.trim(), MinDays, TotalDays: MinDays.length > 1 ? 112 : 0 }]
  })
  return read.length === 0 || read.length < lines.length ? undefined : read
}
const yearDay = (text: string): string => text.trim().replace('/', '-')

/** Adds or changes a requirement; its rule decides which fields there are. */
export function RequirementPage() {
  const [{ id }] = useAddress({ id: null as number | null })
  const programId = useProgramId()
  const list = useRead(
    listRequirements,
    { params: { programId }, query: {} },
    { isEnabled: id !== null, staleMs: 0 },
  )
  const found = list.data?.find(({ Id }) => Id === id)
  if (id !== null && !found) {
    if (list.error) return <ReadProblem read={list} />
    return list.data ? <PageProblem kind="not-found" /> : null
  }
  return <RequirementForm key={id ?? 'new'} requirement={found} programId={programId} />
}

function RequirementForm({
  requirement,
  programId,
}: {
  requirement: Requirement | undefined
  programId: number
}) {
  const words = useWords()
  const create = useSave(createRequirement, { refresh: [listRequirements] })
  const update = useSave(updateRequirement, { refresh: [listRequirements] })
  const levels = useSchedulingOptions('level', requirement?.LevelIds ?? [])
  const rule = requirement?.Rule
  const series = rule?.Kind === 'series' ? rule : undefined
  const season = rule?.Kind === 'season' ? rule : undefined
  const isYearDayText = (text: string) => (isYearDay(yearDay(text)) ? null : words('requirements.notYearDay'))
  const form = useEditForm({
    initialValues: {
      Name: requirement?.Name ?? '',
      Kind: (requirement?.Kind ?? 'document') as string | null,
      Instructions: requirement?.Instructions ?? '',
      Link: requirement?.Link ?? '',
      RuleKind: (rule?.Kind ?? 'until') as string | null,
      Months: (rule?.Kind === 'months' ? rule.Months : 12) as number | null,
      DoseFrom: season ? slashed(season.DoseFrom) : '07/01',
      AskedFrom: season ? slashed(season.AskedFrom) : '11/01',
      AskedThrough: season ? slashed(season.AskedThrough) : '04/30',
      Schedules:
        series?.Schedules.map(({ Name, MinDays }) => `${Name}: ${MinDays.join(', ')}`).join('\n') ??
        '2 doses: 28',
      Titer: (series?.Titer ?? 'none') as string | null,
      Parts: series?.Parts.join(', ') ?? '',
      TiterFromDays: (series?.TiterFromDays ?? 30) as number | null,
      TiterThroughDays: (series?.TiterThroughDays ?? 60) as number | null,
      GraceDays: (series?.GraceDays ?? 30) as number | null,
      NonResponder: series?.NonResponder ?? false,
      Text: rule?.Kind === 'signed' ? rule.Text : '',
      NeedsFile: requirement?.NeedsFile ?? true,
      Scope: (requirement?.Scope ?? 'program') as string | null,
      BlocksPlacement: requirement?.BlocksPlacement ?? true,
      LevelIds: (requirement?.LevelIds ?? []).map(String),
      Cohorts: requirement?.Cohorts.join(', ') ?? '',
    },
    rules: {
      Name: required(),
      Kind: required(),
      RuleKind: required(),
      DoseFrom: (text, { RuleKind }) => (RuleKind === 'season' ? isYearDayText(text) : null),
      AskedFrom: (text, { RuleKind }) => (RuleKind === 'season' ? isYearDayText(text) : null),
      AskedThrough: (text, { RuleKind }) => (RuleKind === 'season' ? isYearDayText(text) : null),
      Schedules: (text, { RuleKind }) =>
        RuleKind === 'series' && !readSchedules(text) ? words('requirements.notSchedules') : null,
      Text: (text, { RuleKind }) =>
        RuleKind === 'signed' && text.trim() === '' ? words('ui.required') : null,
    },
    draftKey: `requirement-${programId}-${requirement?.Id ?? 0}`,
    save: (values) => {
      const kind = values.RuleKind as RuleKind
      const body = {
        Name: values.Name.trim(),
        Kind: values.Kind as RequirementKind,
        Scope: values.Scope as Scope,
        Rule: ruleFrom(kind, values),
        NeedsFile: values.NeedsFile && kind !== 'signed' && kind !== 'result',
        BlocksPlacement: values.BlocksPlacement,
        Instructions: values.Instructions.trim(),
        Link: values.Link.trim(),
        LevelIds: values.LevelIds.map(Number),
        Cohorts: listed(values.Cohorts),
      }
      return requirement
        ? update.run({ params: { programId, requirementId: requirement.Id }, body }, { basedOn: requirement })
        : create.run({ params: { programId }, body })
    },
  })
  const leave = () => leaveTo('/admin/requirements/design')
  const saved = () => {
    toast.done(words('requirements.saved', { name: form.values.Name.trim() }))
    leave()
  }
  const kind = form.values.RuleKind as RuleKind
  return (
    <Page
      title={requirement?.Name ?? words('requirements.newTitle')}
      breadcrumb={words('requirements.designTitle')}
      actions={<FormActions form={form} onCancel={leave} onSaved={saved} always={!requirement} />}
      inset
    >
      <Form form={form} onCancel={leave} onSaved={saved}>
        <FormSection
          name={words('requirements.sectionWhat')}
          purpose={words('requirements.sectionWhatPurpose')}
        >
          <TextField label={words('requirements.name')} required maxLength={100} {...form.field('Name')} />
          <SelectField
            label={words('requirements.kind')}
            required
            options={requirementKinds.map((value) => ({ value, label: words(kindWords[value]) }))}
            {...form.field('Kind')}
          />
          <TextAreaField
            label={words('requirements.instructions')}
            rows={3}
            maxLength={2000}
            {...form.field('Instructions')}
          />
          <TextField
            label={words('requirements.link')}
            hint={words('requirements.linkHint')}
            maxLength={500}
            {...form.field('Link')}
          />
        </FormSection>
        <FormSection
          name={words('requirements.sectionRule')}
          purpose={words('requirements.sectionRulePurpose')}
        >
          <SelectField
            label={words('requirements.ruleField')}
            required
            options={ruleKinds.map((value) => ({ value, label: words(ruleNames[value]) }))}
            {...form.field('RuleKind')}
          />
          {kind === 'months' && (
            <NumberField
              label={words('requirements.months')}
              required
              min={1}
              max={600}
              {...form.field('Months')}
            />
          )}
          {kind === 'season' &&
            (['DoseFrom', 'AskedFrom', 'AskedThrough'] as const).map((name) => (
              <TextField
                key={name}
                label={words(
                  name === 'DoseFrom'
                    ? 'requirements.doseFrom'
                    : name === 'AskedFrom'
                      ? 'requirements.askedFromField'
                      : 'requirements.askedThroughField',
                )}
                hint={words('requirements.yearDayHint')}
                required
                maxLength={5}
                {...form.field(name)}
              />
            ))}
          {kind === 'series' && (
            <>
              <TextAreaField
                label={words('requirements.schedules')}
                description={words('requirements.schedulesHint')}
                required
                rows={3}
                maxLength={500}
                {...form.field('Schedules')}
              />
              <NumberField
                label={words('requirements.grace')}
                min={0}
                max={365}
                {...form.field('GraceDays')}
              />
              <SelectField
                label={words('requirements.titer')}
                required
                options={(['none', 'instead', 'after'] as const).map((value) => ({
                  value,
                  label: words(titers[value]),
                }))}
                {...form.field('Titer')}
              />
              {form.values.Titer !== 'none' && (
                <TextField
                  label={words('requirements.titerParts')}
                  hint={words('requirements.titerPartsHint')}
                  maxLength={300}
                  {...form.field('Parts')}
                />
              )}
              {form.values.Titer === 'after' && (
                <>
                  <NumberField
                    label={words('requirements.titerFrom')}
                    min={0}
                    max={3660}
                    {...form.field('TiterFromDays')}
                  />
                  <NumberField
                    label={words('requirements.titerThrough')}
                    min={0}
                    max={3660}
                    {...form.field('TiterThroughDays')}
                  />
                  <SwitchField label={words('requirements.nonResponder')} {...form.field('NonResponder')} />
                </>
              )}
            </>
          )}
          {kind === 'signed' && (
            <TextAreaField
              label={words('requirements.textToSign')}
              required
              rows={8}
              maxLength={20000}
              {...form.field('Text')}
            />
          )}
          {kind !== 'signed' && kind !== 'result' && (
            <SwitchField label={words('requirements.needsFileField')} {...form.field('NeedsFile')} />
          )}
        </FormSection>
        <FormSection
          name={words('requirements.sectionWhom')}
          purpose={words('requirements.sectionWhomPurpose')}
        >
          <SelectField
            label={words('requirements.scope')}
            required
            options={scopes.map((value) => ({ value, label: words(scopeNames[value]) }))}
            {...form.field('Scope')}
          />
          <MultiSelectField
            label={words('requirements.levels')}
            placeholder={words('requirements.anyLevel')}
            {...levels}
            {...form.field('LevelIds')}
          />
          <TextField
            label={words('requirements.cohorts')}
            hint={words('requirements.cohortsHint')}
            maxLength={500}
            {...form.field('Cohorts')}
          />
          <SwitchField label={words('requirements.blocksField')} {...form.field('BlocksPlacement')} />
        </FormSection>
      </Form>
    </Page>
  )
}

interface RuleValues {
  Months: number | null
  DoseFrom: string
  AskedFrom: string
  AskedThrough: string
  Schedules: string
  Titer: string | null
  Parts: string
  TiterFromDays: number | null
  TiterThroughDays: number | null
  GraceDays: number | null
  NonResponder: boolean
  Text: string
}

const ruleFrom = (kind: RuleKind, values: RuleValues): RuleField => {
  switch (kind) {
    case 'months':
      return { Kind: 'months', Months: values.Months ?? 12 }
    case 'season':
      return {
        Kind: 'season',
        DoseFrom: yearDay(values.DoseFrom),
        AskedFrom: yearDay(values.AskedFrom),
        AskedThrough: yearDay(values.AskedThrough),
      }
    case 'series': {
      const Titer = (values.Titer ?? 'none') as 'none' | 'instead' | 'after'
      return {
        Kind: 'series',
        // The form was checked, so its schedules can be read.
        Schedules: readSchedules(values.Schedules)!.map((each) => ({ ...each, MinDays: [...each.MinDays] })),
        Titer,
        Parts: Titer === 'none' ? [] : listed(values.Parts),
        TiterFromDays: values.TiterFromDays ?? 30,
        TiterThroughDays: values.TiterThroughDays ?? 60,
        GraceDays: values.GraceDays ?? 30,
        NonResponder: Titer === 'after' && values.NonResponder,
      }
    }
    case 'signed':
      return { Kind: 'signed', Text: values.Text.trim() }
    default:
      return { Kind: kind }
  }
}
