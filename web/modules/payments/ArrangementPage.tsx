import {
  type Arrangement,
  createArrangement,
  getArrangement,
  listArrangements,
  updateArrangement,
} from '#contract/payments/payments.ts'
import { dollars, payers, states } from '#contract/payments/payments-rules.ts'
import { listPrograms, programLabel, searchPrograms } from '#contract/programs/programs.ts'
import { getAdminData } from '#contract/session/session.ts'
import { leaveTo, usePageNavigate } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useAppState, useMay, useTimeZone } from '#web/api/use-state.ts'
import { PageProblem } from '#web/shell/PageProblem.tsx'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { dateOfInstant, formatDate } from '#web/ui/dates.ts'
import { CheckField } from '#web/ui/form/CheckField.tsx'
import { DateField } from '#web/ui/form/DateField.tsx'
import { Form, FormActions, FormSection, FullWidth } from '#web/ui/form/Form.tsx'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { required } from '#web/ui/form/rules.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { Evidence } from './Evidence.tsx'
import { Invoices } from './Invoices.tsx'
import { payerWord } from './payment-words.ts'
import classes from './payments.module.css'

/** The arrangement edit page: what a program pays, the evidence of its tax exemption, its invoices. */
export function ArrangementPage() {
  const mayManage = useMay()('payments.manage')
  const chosen = useAppState().data?.ProgramId ?? null
  const [at] = useAddress({ id: null as number | null, program: null as number | null })
  const programId = at.program ?? chosen
  const isThere = at.id !== null && programId !== null
  const arrangement = useRead(
    getArrangement,
    { params: { programId: programId ?? 0, arrangementId: at.id ?? 0 } },
    { isEnabled: isThere, keepsLast: false, staleMs: 0 },
  )
  if (at.id === null && mayManage) return <ArrangementForm key="new" programId={programId} />
  if (!isThere) return <PageProblem kind="not-found" />
  if (arrangement.error) return <ReadProblem read={arrangement} />
  if (!arrangement.data) return null
  return mayManage ? (
    <ArrangementForm key={at.id} programId={programId} arrangement={arrangement.data} />
  ) : (
    <ArrangementFacts arrangement={arrangement.data} />
  )
}

function ArrangementForm(props: { programId: number | null; arrangement?: Arrangement }) {
  const { arrangement } = props
  const words = useWords()
  const navigate = usePageNavigate()
  const timeZone = useTimeZone()
  const programs = useRead(listPrograms, {}, { staleMs: 300_000, isEnabled: !arrangement })
  const refresh = { refresh: [listArrangements, getArrangement, searchPrograms, getAdminData] }
  const create = useSave(createArrangement, refresh)
  const update = useSave(updateArrangement, refresh)
  const must = required(words('payments.required'))
  const form = useEditForm({
    initialValues: {
      ProgramId: (props.programId === null ? null : String(props.programId)) as string | null,
      Payer: (arrangement?.Payer ?? 'college') as string | null,
      PayerName: arrangement?.PayerName ?? '',
      PayerEmail: arrangement?.PayerEmail ?? '',
      PayerAddress: arrangement?.PayerAddress ?? '',
      Dollars: arrangement ? arrangement.CentsPerStudent / 100 : (null as number | null),
      State: arrangement?.State ?? (null as string | null),
      IsExempt: arrangement?.IsExempt ?? false,
      StartsOn: (arrangement?.StartsOn ?? dateOfInstant(new Date(), timeZone)) as string | null,
      EndsOn: arrangement?.EndsOn ?? null,
      Notes: arrangement?.Notes ?? '',
    },
    rules: { ProgramId: must, PayerName: must, Dollars: must, State: must, StartsOn: must },
    save: async ({ ProgramId, Dollars, Payer, State, StartsOn, ...values }) => {
      const body = {
        ...values,
        Payer: payers.find((each) => each === Payer) ?? 'other',
        CentsPerStudent: Math.round((Dollars ?? 0) * 100),
        State: State ?? '',
        StartsOn: StartsOn ?? '',
      }
      const programId = Number(ProgramId)
      if (arrangement)
        return update.run(
          { params: { programId, arrangementId: arrangement.Id }, body },
          { basedOn: arrangement },
        )
      const made = await create.run({ params: { programId }, body })
      navigate('/admin/payments/edit', { search: { program: ProgramId, id: made.Id }, replace: true })
    },
  })
  const program = programs.data?.find(({ Id }) => String(Id) === form.values.ProgramId)
  const name = arrangement?.Program ?? program?.Name ?? ''
  const leave = () => leaveTo('/admin/payments')
  const saved = () => toast.done(words('payments.saved', { name }))
  return (
    <Page
      title={arrangement ? `${arrangement.College} – ${arrangement.Program}` : words('payments.newTitle')}
      breadcrumb={words('payments.title')}
      {...(arrangement && { count: words(`payments.standing_${arrangement.Standing}`) })}
      actions={<FormActions form={form} onCancel={leave} onSaved={saved} always={!arrangement} />}
      inset
    >
      <Form form={form} onCancel={leave} onSaved={saved}>
        {!arrangement && (
          <FormSection
            name={words('payments.sectionProgram')}
            purpose={words('payments.sectionProgramPurpose')}
          >
            <FullWidth>
              <SelectField
                label={words('payments.program')}
                required
                options={(programs.data ?? []).map((each) => ({
                  value: String(each.Id),
                  label: programLabel(each),
                }))}
                {...form.field('ProgramId')}
              />
            </FullWidth>
          </FormSection>
        )}
        <FormSection name={words('payments.sectionPayer')} purpose={words('payments.sectionPayerPurpose')}>
          <SelectField
            label={words('payments.payer')}
            required
            options={payers.map((value) => ({ value, label: words(payerWord[value]) }))}
            {...form.field('Payer')}
          />
          <TextField
            label={words('payments.payerName')}
            required
            maxLength={255}
            {...form.field('PayerName')}
          />
          <TextField label={words('payments.payerEmail')} maxLength={255} {...form.field('PayerEmail')} />
          <TextAreaField
            label={words('payments.payerAddress')}
            maxLength={500}
            rows={3}
            {...form.field('PayerAddress')}
          />
        </FormSection>
        <FormSection name={words('payments.sectionTerms')} purpose={words('payments.sectionTermsPurpose')}>
          <NumberField
            label={words('payments.rate')}
            hint={words('payments.rateHint')}
            required
            min={0}
            max={100_000}
            decimals={2}
            {...form.field('Dollars')}
          />
          <SelectField
            label={words('payments.state')}
            required
            options={states.map((value) => ({ value, label: value }))}
            {...form.field('State')}
          />
          <CheckField
            label={words('payments.isExempt')}
            description={words('payments.isExemptDetail')}
            {...form.field('IsExempt')}
          />
        </FormSection>
        <FormSection name={words('payments.sectionPeriod')} purpose={words('payments.sectionPeriodPurpose')}>
          <DateField label={words('payments.startsOn')} required {...form.field('StartsOn')} />
          <DateField
            label={words('payments.endsOn')}
            hint={words('payments.endsHint')}
            {...form.field('EndsOn')}
          />
          <FullWidth>
            <TextAreaField
              label={words('payments.notes')}
              maxLength={2000}
              rows={3}
              {...form.field('Notes')}
            />
          </FullWidth>
        </FormSection>
      </Form>
      {arrangement && (
        <div className={classes.parts}>
          {arrangement.IsExempt && <Evidence arrangement={arrangement} />}
          <Invoices arrangement={arrangement} isUnsaved={form.changed.length > 0} />
        </div>
      )}
    </Page>
  )
}

/** What a director sees: the terms to read, the evidence to upload, the invoices to download. */
function ArrangementFacts({ arrangement }: { arrangement: Arrangement }) {
  const words = useWords()
  const { StartsOn, EndsOn } = arrangement
  const facts = [
    [words('payments.payer'), arrangement.PayerName],
    [words('payments.payerEmail'), arrangement.PayerEmail],
    [words('payments.payerAddress'), arrangement.PayerAddress],
    [words('payments.rate'), dollars(arrangement.CentsPerStudent)],
    [
      words('payments.tax'),
      `${arrangement.State} · ${words(arrangement.IsExempt ? 'payments.exempt' : 'payments.taxed')}`,
    ],
    [
      words('payments.period'),
      EndsOn
        ? words('payments.until', { from: formatDate(StartsOn), until: formatDate(EndsOn) })
        : words('payments.from', { date: formatDate(StartsOn) }),
    ],
    [words('payments.notes'), arrangement.Notes],
  ].filter(([, value]) => value)
  return (
    <Page
      title={`${arrangement.College} – ${arrangement.Program}`}
      breadcrumb={words('payments.title')}
      count={words(`payments.standing_${arrangement.Standing}`)}
      inset
    >
      <dl className={classes.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className={classes.parts}>
        {arrangement.IsExempt && <Evidence arrangement={arrangement} />}
        <Invoices arrangement={arrangement} isUnsaved={false} />
      </div>
    </Page>
  )
}
