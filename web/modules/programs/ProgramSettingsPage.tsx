import { useState } from 'react'
import {
  optionLimits,
  type ProgramOptions,
  type Strictness,
  type SwapApproval,
} from '#contract/programs/program-options.ts'
import { getProgramOptions, saveProgramOptions } from '#contract/programs/programs.ts'
import { getGlobals } from '#contract/session/session.ts'
import { lateAfterMinutes } from '#contract/time/insight.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { CheckField } from '#web/ui/form/CheckField.tsx'
import { Form, FormActions, FormSection, FullWidth } from '#web/ui/form/Form.tsx'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { required } from '#web/ui/form/rules.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { type EditedRule, HoursRuleDialog, HoursRulesSection } from './HoursRules.tsx'
import { RegistrationLinkSection } from './RegistrationLinkSection.tsx'

/** The options of the program, with a word on what each does. */
export function ProgramSettingsPage() {
  const programId = useProgramId()
  const options = useRead(getProgramOptions, { params: { programId } }, { keepsLast: false })
  if (options.error) return <ReadProblem read={options} />
  if (!options.data) return null
  return <SettingsForm key={programId} options={options.data} programId={programId} />
}

type Values = {
  [Name in keyof ProgramOptions]: ProgramOptions[Name] extends number
    ? number | null
    : ProgramOptions[Name] extends boolean
      ? boolean
      : ProgramOptions[Name] extends Strictness | SwapApproval
        ? string | null
        : string
}

function SettingsForm({ options, programId }: { options: ProgramOptions; programId: number }) {
  const words = useWords()
  const [edited, setEdited] = useState<EditedRule>()
  const save = useSave(saveProgramOptions, { refresh: [getProgramOptions, getGlobals] })
  const form = useEditForm<Values>({
    initialValues: options as Values,
    rules: { EmployeeRegistryNumberName: required() },
    draftKey: `program-settings-${programId}`,
    save: (values) =>
      save.run({ params: { programId }, body: values as ProgramOptions }, { basedOn: options }),
  })
  const saved = () => toast.done(words('programs.saved', { name: words('programs.settingsTitle') }))
  const strictness = [
    { value: 'off', label: words('programs.ruleOff') },
    { value: 'warn', label: words('programs.ruleWarn') },
    { value: 'block', label: words('programs.ruleBlock') },
  ]
  const rule = (
    name:
      | 'HoursPerDayRule'
      | 'HoursPerWeekRule'
      | 'DayOffRule'
      | 'ComplianceRule'
      | 'AgreementRule'
      | 'ProgramDatesRule',
    label: string,
  ) => <SelectField label={label} required options={strictness} {...form.field(name)} />
  return (
    <Page title={words('programs.settingsTitle')} actions={<FormActions form={form} onSaved={saved} />} inset>
      <Form form={form} onSaved={saved}>
        <FormSection name={words('programs.scheduleSection')} purpose={words('programs.schedulePurpose')}>
          {rule('HoursPerDayRule', words('programs.hoursPerDayRule'))}
          <NumberField
            label={words('programs.maxHoursPerDay')}
            {...optionLimits.MostHoursPerDay}
            {...form.field('MostHoursPerDay')}
          />
          {rule('HoursPerWeekRule', words('programs.hoursPerWeekRule'))}
          <NumberField
            label={words('programs.maxHoursPerWeek')}
            {...optionLimits.MostHoursPerWeek}
            {...form.field('MostHoursPerWeek')}
          />
          {rule('DayOffRule', words('programs.dayOffRule'))}
          {rule('ComplianceRule', words('programs.complianceRule'))}
          {rule('AgreementRule', words('programs.agreementRule'))}
          {rule('ProgramDatesRule', words('programs.programDatesRule'))}
          <SelectField
            label={words('programs.swapApproval')}
            required
            options={[
              { value: 'off', label: words('programs.swapsOff') },
              { value: 'staff', label: words('programs.swapsByStaff') },
              { value: 'site', label: words('programs.swapsBySite') },
              { value: 'none', label: words('programs.swapsByNone') },
            ]}
            {...form.field('SwapApproval')}
          />
          <NumberField
            label={words('programs.dropHours')}
            hint={words('programs.dropHoursHint')}
            {...optionLimits.DropHours}
            {...form.field('DropHours')}
          />
          <FullWidth>
            <CheckField
              label={words('programs.disableFaculty')}
              {...form.field('DisableScheduleAssignmentsForFaculty')}
            />
          </FullWidth>
          <FullWidth>
            <CheckField label={words('programs.visualizeFirst')} {...form.field('VisualizeFirst')} />
          </FullWidth>
          <FullWidth>
            <CheckField
              label={words('programs.dayLongShifts')}
              description={words('programs.dayLongShiftsHint')}
              {...form.field('DayLongShifts')}
            />
          </FullWidth>
        </FormSection>
        <FormSection name={words('programs.clockSection')} purpose={words('programs.clockPurpose')}>
          <NumberField
            label={words('programs.tolerance')}
            hint={words('programs.toleranceHint', { count: lateAfterMinutes })}
            {...optionLimits.PunchToleranceMinutes}
            {...form.field('PunchToleranceMinutes')}
          />
          <NumberField
            label={words('programs.retention')}
            {...optionLimits.PositionRetentionDays}
            {...form.field('PositionRetentionDays')}
          />
          <NumberField
            label={words('programs.decimals')}
            hint={words('programs.decimalsHint')}
            {...optionLimits.PositionDecimals}
            {...form.field('PositionDecimals')}
          />
          <CheckField label={words('programs.absences')} {...form.field('AbsencesAreMadeUp')} />
        </FormSection>
        <HoursRulesSection programId={programId} onEdit={setEdited} />
        <FormSection name={words('programs.proofsSection')} purpose={words('programs.proofsPurpose')}>
          <NumberField
            label={words('programs.proofRetention')}
            hint={words('programs.proofRetentionHint')}
            {...optionLimits.ProofRetentionDays}
            {...form.field('ProofRetentionDays')}
          />
          <NumberField
            label={words('programs.preAdverse')}
            hint={words('programs.preAdverseHint')}
            {...optionLimits.PreAdverseDays}
            {...form.field('PreAdverseDays')}
          />
          <NumberField
            label={words('programs.doseLimit')}
            {...optionLimits.DoseLimit}
            {...form.field('DoseLimit')}
          />
        </FormSection>
        <FormSection name={words('programs.employeesSection')} purpose={words('programs.employeesPurpose')}>
          <CheckField label={words('programs.registryOn')} {...form.field('EmployeeRegistryNumberEnabled')} />
          <TextField
            label={words('programs.registryName')}
            maxLength={50}
            required
            {...form.field('EmployeeRegistryNumberName')}
          />
          <FullWidth>
            <CheckField label={words('programs.hideDms')} {...form.field('HideDMSFields')} />
          </FullWidth>
        </FormSection>
        <FormSection name={words('programs.sessionSection')} purpose={words('programs.sessionPurpose')}>
          <NumberField
            label={words('programs.idle')}
            {...optionLimits.SessionIdleMinutes}
            {...form.field('SessionIdleMinutes')}
          />
          <NumberField
            label={words('programs.warning')}
            {...optionLimits.ServerTimeoutWarningMinutes}
            {...form.field('ServerTimeoutWarningMinutes')}
          />
        </FormSection>
        <RegistrationLinkSection programId={programId} />
      </Form>
      {edited && (
        <HoursRuleDialog programId={programId} edited={edited} onClose={() => setEdited(undefined)} />
      )}
    </Page>
  )
}
