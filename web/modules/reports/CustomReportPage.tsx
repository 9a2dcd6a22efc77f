import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import {
  type CustomReport,
  createCustomReport,
  exportReport,
  getCustomReport,
  listCustomReports,
  listReportSubjects,
  mailings,
  previewReport,
  type ReportDefinition,
  type ReportField,
  setReportMailing,
  updateCustomReport,
} from '#contract/reports/custom-reports.ts'
import {
  definitionProblems,
  type Operator,
  operatorsOf,
  shownColumns,
} from '#contract/reports/custom-reports-rules.ts'
import { callAddress } from '#web/api/call.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { ExportMenu } from '#web/shell/ExportMenu.tsx'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { useLeaveGuard } from '#web/shell/use-leave-guard.ts'
import { attempt } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { formatDate, formatHours } from '#web/ui/dates.ts'
import { CheckField } from '#web/ui/form/CheckField.tsx'
import { DateField } from '#web/ui/form/DateField.tsx'
import { Form } from '#web/ui/form/Form.tsx'
import { MultiSelectField } from '#web/ui/form/MultiSelectField.tsx'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { required } from '#web/ui/form/rules.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import type { WordKey, Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './custom-report.module.css'

const pageSize = 50
type Subjects = AnswerOf<typeof listReportSubjects>
type Filter = ReportDefinition['Filters'][number]
type Preview = AnswerOf<typeof previewReport>

/** A new custom report, or the saved one whose id is in the address. */
export function CustomReportPage() {
  const programId = useProgramId()
  const [{ id }] = useAddress({ id: null as number | null })
  const subjects = useRead(listReportSubjects, { params: { programId } }, { staleMs: 300_000 })
  const report = useRead(
    getCustomReport,
    { params: { programId, reportId: id ?? 0 } },
    { isEnabled: id !== null, keepsLast: false, staleMs: 0 },
  )
  if (report.error) return <ReadProblem read={report} />
  if (subjects.error) return <ReadProblem read={subjects} />
  if (!subjects.data || (id !== null && !report.data)) return null
  return (
    <Builder
      key={id ?? 'new'}
      programId={programId}
      subjects={subjects.data}
      {...(report.data && { report: report.data })}
    />
  )
}

const beginWith = (
  Subject: ReportDefinition['Subject'],
  fields: readonly ReportField[],
): ReportDefinition => ({
  Subject,
  Columns: fields.slice(0, 5).map(({ Name }) => Name),
  Filters: [],
  GroupBy: [],
  Sort: '',
})

function Builder(props: { programId: number; subjects: Subjects; report?: CustomReport }) {
  const { programId, subjects, report } = props
  const words = useWords()
  const [definition, setDefinition] = useState<ReportDefinition>(
    report?.Definition ?? beginWith(subjects[0]!.Subject, subjects[0]!.Fields),
  )
  const [page, setPage] = useState(1)
  const [isSaving, setSaving] = useState(false)
  const fields = subjects.find(({ Subject }) => Subject === definition.Subject)?.Fields ?? []
  // A filter whose value is still being chosen asks nothing yet.
  const asked = { ...definition, Filters: definition.Filters.filter(({ Value }) => Value !== '') }
  const isReady = definitionProblems(asked).length === 0
  const saved = JSON.stringify(report?.Definition)
  const isChanged = JSON.stringify(definition) !== (saved ?? '')
  const letLeave = useLeaveGuard(report && isChanged ? 1 : 0, ['id'])
  const preview = useRead(
    previewReport,
    { params: { programId }, body: { Definition: asked, page, pageSize } },
    { isEnabled: isReady, staleMs: 0 },
  )
  const change = (part: Partial<ReportDefinition>) => {
    const next = { ...definition, ...part }
    const isShown = shownColumns(next).includes(next.Sort.replace(/^-/, ''))
    setDefinition({ ...next, Sort: isShown ? next.Sort : '' })
    setPage(1)
  }
  const choose = (name: string | null) => {
    const subject = subjects.find(({ Subject }) => Subject === name)
    if (subject) {
      setDefinition(beginWith(subject.Subject, subject.Fields))
      setPage(1)
    }
  }
  const options = fields.map(({ Name, Label }) => ({ value: Name, label: Label }))
  const title = report?.Name ?? words('customReports.newTitle')
  const total = preview.data?.Total ?? 0
  return (
    <Page
      title={title}
      breadcrumb={words('customReports.title')}
      {...(report && isChanged && { count: words('customReports.unsaved') })}
      {...(report && !report.IsOwn && { intro: words('customReports.notYours', { name: report.Owner }) })}
      actions={
        <>
          {report && <Mailing programId={programId} report={report} />}
          {isReady && (
            <ExportMenu
              address={(Format) =>
                callAddress(exportReport, {
                  params: { programId },
                  query: { Name: title, Definition: JSON.stringify(asked), Format },
                })
              }
            />
          )}
          <Button onClick={() => setSaving(true)}>
            {words(report && !report.IsOwn ? 'customReports.saveCopy' : 'customReports.save')}
          </Button>
        </>
      }
      footer={isReady && preview.data && words('customReports.rows', { count: total })}
      footerEnd={isReady && <Pager page={page} pageSize={pageSize} total={total} onPage={setPage} />}
      inset
    >
      <div className={classes.parts}>
        <SelectField
          name="Subject"
          label={words('customReports.subject')}
          required
          options={subjects.map(({ Subject, Label }) => ({ value: Subject, label: Label }))}
          value={definition.Subject}
          onChange={choose}
        />
        <MultiSelectField
          name="Columns"
          label={words('customReports.columns')}
          options={options}
          value={definition.Columns}
          onChange={(Columns) => change({ Columns })}
          {...(!isReady && { error: words('customReports.noColumns') })}
        />
        <MultiSelectField
          name="GroupBy"
          label={words('customReports.groupBy')}
          hint={words('customReports.groupHint')}
          most={2}
          options={options}
          value={definition.GroupBy}
          onChange={(GroupBy) => change({ GroupBy: GroupBy.slice(-2) })}
        />
      </div>
      <Filters fields={fields} filters={definition.Filters} onChange={(next) => change({ Filters: next })} />
      {isReady && (
        <Rows
          preview={preview.data}
          subject={definition.Subject}
          sort={definition.Sort}
          onSort={(Sort) => change({ Sort })}
          isLoading={preview.isFetching}
          error={preview.error?.message}
          onRetry={() => void preview.refetch()}
        />
      )}
      {isSaving && (
        <SaveDialog
          programId={programId}
          definition={asked}
          {...(report && { report })}
          onSaved={() => {
            setDefinition(asked)
            letLeave()
          }}
          onClose={() => setSaving(false)}
        />
      )}
    </Page>
  )
}

const operatorWord = (operator: Operator, kind: ReportField['Kind']): WordKey =>
  operator === 'contains'
    ? 'customReports.contains'
    : operator === 'is'
      ? 'customReports.is'
      : kind === 'date'
        ? operator === 'at-least'
          ? 'customReports.from'
          : 'customReports.through'
        : operator === 'at-least'
          ? 'customReports.atLeast'
          : 'customReports.atMost'

function Filters(props: {
  fields: readonly ReportField[]
  filters: readonly Filter[]
  onChange: (filters: Filter[]) => void
}) {
  const { fields, filters, onChange } = props
  const words = useWords()
  const set = (index: number, part: Partial<Filter>) =>
    onChange(filters.map((filter, at) => (at === index ? { ...filter, ...part } : filter)))
  const begin = (name: string): Filter => {
    // Chosen from the same fields.
    const field = fields.find(({ Name }) => Name === name)!
    return { Field: name, Operator: operatorsOf[field.Kind][0]!, Value: '' }
  }
  return (
    <fieldset className={classes.filters}>
      <legend>{words('customReports.filters')}</legend>
      {filters.map((filter, index) => {
        const field = fields.find(({ Name }) => Name === filter.Field)
        if (!field) return null
        const named = (part: string) => `${part}${index}`
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: filters have no other name, and their fields hold no state
          <div key={index} className={classes.filter}>
            <SelectField
              name={named('Field')}
              label={words('customReports.field')}
              required
              options={fields.map(({ Name, Label }) => ({ value: Name, label: Label }))}
              value={filter.Field}
              onChange={(name) => name && set(index, begin(name))}
            />
            <SelectField
              name={named('Operator')}
              label={words('customReports.operator')}
              required
              options={operatorsOf[field.Kind].map((value) => ({
                value,
                label: words(operatorWord(value, field.Kind)),
              }))}
              value={filter.Operator}
              onChange={(value) => value && set(index, { Operator: value as Operator })}
            />
            <FilterValue
              name={named('Value')}
              field={field}
              value={filter.Value}
              onChange={(Value) => set(index, { Value })}
            />
            <button
              type="button"
              className={classes.remove}
              aria-label={words('customReports.removeFilter', { name: field.Label })}
              onClick={() => onChange(filters.filter((_each, at) => at !== index))}
            >
              <IconTrash size={16} stroke={1.75} aria-hidden />
            </button>
          </div>
        )
      })}
      {filters.length < 20 && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={15} stroke={1.75} aria-hidden />}
          onClick={() => onChange([...filters, begin(fields[0]!.Name)])}
        >
          {words('customReports.addFilter')}
        </Button>
      )}
    </fieldset>
  )
}

function FilterValue(props: {
  name: string
  field: ReportField
  value: string
  onChange: (value: string) => void
}) {
  const { name, field, value, onChange } = props
  const words = useWords()
  const label = words('customReports.value')
  if (field.Kind === 'date')
    return (
      <DateField name={name} label={label} value={value || null} onChange={(day) => onChange(day ?? '')} />
    )
  if (field.Kind === 'number' || field.Kind === 'minutes')
    return (
      <NumberField
        name={name}
        label={label}
        decimals={2}
        max={100_000_000}
        value={value === '' ? null : Number(value)}
        onChange={(number) => onChange(number === null ? '' : String(number))}
        {...(field.Kind === 'minutes' && { unit: ' h' })}
      />
    )
  if (field.Kind === 'flag' || field.Kind === 'choice')
    return (
      <SelectField
        name={name}
        label={label}
        required
        options={
          field.Kind === 'flag'
            ? [
                { value: 'true', label: words('customReports.yes') },
                { value: 'false', label: words('customReports.no') },
              ]
            : field.Choices.map((choice) => ({ value: choice.Value, label: choice.Label }))
        }
        value={value || null}
        onChange={(chosen) => onChange(chosen ?? '')}
      />
    )
  return <TextField name={name} label={label} maxLength={100} value={value} onChange={onChange} />
}

const cellText = (
  words: Words,
  kind: ReportField['Kind'],
  value: Preview['Items'][number][number],
): string =>
  value === null
    ? '–'
    : kind === 'minutes'
      ? formatHours(Number(value))
      : kind === 'date'
        ? formatDate(String(value))
        : kind === 'flag'
          ? words(value === true ? 'customReports.yes' : 'customReports.no')
          : kind === 'number'
            ? Number(value).toLocaleString('en-US')
            : String(value)

function Rows(props: {
  preview: Preview | undefined
  subject: string
  sort: string
  onSort: (sort: string) => void
  isLoading: boolean
  error: string | undefined
  onRetry: () => void
}) {
  const { preview } = props
  const words = useWords()
  const rows = preview?.Items.map((cells, index) => ({ index, cells }))
  const columns: GridColumn<{ index: number; cells: Preview['Items'][number] }>[] = (
    preview?.Columns ?? []
  ).map(({ Name, Label, Kind }, at) => ({
    id: Name,
    header: Label,
    sortable: true,
    identity: at === 0,
    ...((Kind === 'number' || Kind === 'minutes') && { align: 'end' as const, width: 120 }),
    cell: (row) => cellText(words, Kind, row.cells[at] ?? null),
    text: (row) => cellText(words, Kind, row.cells[at] ?? null),
  }))
  return (
    <Grid
      id={`custom-report-${props.subject}`}
      label={words('customReports.title')}
      columns={columns}
      rows={rows}
      rowKey={({ index }) => index}
      sort={props.sort}
      onSort={props.onSort}
      isLoading={props.isLoading}
      error={props.error}
      onRetry={props.onRetry}
      empty={{ text: words('customReports.noRows') }}
      height="auto"
      framed
    />
  )
}

function Mailing({ programId, report }: { programId: number; report: CustomReport }) {
  const words = useWords()
  const save = useSave(setReportMailing, { refresh: [getCustomReport, listCustomReports] })
  const set = async (value: string) => {
    const Mailing = mailings.find((each) => each === value) ?? 'none'
    await attempt(async () => {
      await save.run({ params: { programId, reportId: report.Id }, body: { Mailing } })
      toast.done(words('customReports.mailingSaved'))
    })
  }
  return (
    <label className={classes.mailing}>
      {words('customReports.mailing')}
      <select value={report.Mailing} onChange={(event) => void set(event.currentTarget.value)}>
        {mailings.map((value) => (
          <option key={value} value={value}>
            {words(`customReports.mailing_${value}`)}
          </option>
        ))}
      </select>
    </label>
  )
}

function SaveDialog(props: {
  programId: number
  definition: ReportDefinition
  report?: CustomReport
  onSaved: () => void
  onClose: () => void
}) {
  const { programId, definition, report, onClose } = props
  const words = useWords()
  const navigate = usePageNavigate()
  const refresh = { refresh: [listCustomReports, getCustomReport] }
  const create = useSave(createCustomReport, refresh)
  const update = useSave(updateCustomReport, refresh)
  const isOwn = report?.IsOwn ?? false
  const form = useEditForm({
    initialValues: {
      Name: isOwn || !report ? (report?.Name ?? '') : words('customReports.copyOf', { name: report.Name }),
      IsShared: isOwn && (report?.IsShared ?? false),
    },
    rules: { Name: required(words('customReports.required')) },
    save: async (values) => {
      const body = { ...values, Definition: definition }
      if (report && isOwn) {
        await update.run({ params: { programId, reportId: report.Id }, body })
        props.onSaved()
      } else {
        const made = await create.run({ params: { programId }, body })
        props.onSaved()
        navigate('/admin/custom-reports/edit', { search: { id: made.Id } })
      }
    },
  })
  const saved = () => {
    toast.done(words('customReports.saved', { name: form.values.Name.trim() }))
    onClose()
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('customReports.saveTitle')}
      stayOnOutsideClick
      actions={
        <Button
          loading={form.isSaving}
          onClick={async () => {
            if (await form.submit()) saved()
          }}
        >
          {words(report && !isOwn ? 'customReports.saveCopy' : 'customReports.save')}
        </Button>
      }
    >
      <Form form={form} onCancel={onClose} onSaved={saved}>
        <div className={classes.dialog}>
          <TextField label={words('customReports.name')} required maxLength={100} {...form.field('Name')} />
          <CheckField
            label={words('customReports.share')}
            description={words('customReports.shareDetail')}
            {...form.field('IsShared')}
          />
        </div>
      </Form>
    </Dialog>
  )
}
