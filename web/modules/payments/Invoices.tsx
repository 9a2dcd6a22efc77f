import { IconBan, IconDownload, IconFileInvoice } from '@tabler/icons-react'
import { useState } from 'react'
import {
  type Arrangement,
  downloadInvoice,
  getArrangement,
  type Invoice,
  issueInvoice,
  listArrangements,
  listInvoices,
  previewInvoice,
  voidInvoice,
} from '#contract/payments/payments.ts'
import { dollars } from '#contract/payments/payments-rules.ts'
import { callAddress } from '#web/api/call.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useMay, useTimeZone } from '#web/api/use-state.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { dateOfInstant, formatDate } from '#web/ui/dates.ts'
import { DateField } from '#web/ui/form/DateField.tsx'
import { Form } from '#web/ui/form/Form.tsx'
import { required } from '#web/ui/form/rules.ts'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import type { GridColumn } from '#web/ui/grid/grid-types.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Section } from '#web/ui/Section.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'

const pageSize = 25
const refresh = { refresh: [listInvoices, getArrangement, listArrangements] }
const pathOf = ({ ProgramId, Id }: Arrangement) => ({ programId: ProgramId, arrangementId: Id })

/** The invoices of an arrangement: numbered, never changed, voided with a reason. */
export function Invoices({ arrangement, isUnsaved }: { arrangement: Arrangement; isUnsaved: boolean }) {
  const words = useWords()
  const mayManage = useMay()('payments.manage')
  const [page, setPage] = useState(1)
  const [isIssuing, setIssuing] = useState(false)
  const [voiding, setVoiding] = useState<Invoice>()
  const invoices = useRead(listInvoices, { params: pathOf(arrangement), query: { page, pageSize } })
  const total = invoices.data?.Total ?? 0
  const money = (id: 'TaxCents' | 'TotalCents', header: string): GridColumn<Invoice> => ({
    id,
    header,
    width: 116,
    align: 'end',
    cell: (row) => dollars(row[id]),
    text: (row) => dollars(row[id]),
  })
  const columns: GridColumn<Invoice>[] = [
    { id: 'Number', header: words('payments.number'), identity: true, minWidth: 150 },
    {
      id: 'IssuedOn',
      header: words('payments.issuedOn'),
      width: 110,
      cell: (row) => formatDate(row.IssuedOn),
    },
    {
      id: 'CountedOn',
      header: words('payments.counted'),
      width: 110,
      cell: (row) => formatDate(row.CountedOn),
    },
    { id: 'StudentCount', header: words('payments.studentCount'), width: 96, align: 'end' },
    money('TaxCents', words('payments.taxAmount')),
    money('TotalCents', words('payments.total')),
    {
      id: 'VoidedAt',
      header: words('payments.standing'),
      width: 104,
      cell: (row) =>
        row.VoidedAt ? (
          <StatusTag status="rejected" title={row.VoidReason}>
            {words('payments.isVoid')}
          </StatusTag>
        ) : (
          words('payments.isValid')
        ),
      text: (row) => row.VoidReason,
    },
  ]
  return (
    <Section
      title={words('payments.invoices')}
      end={
        mayManage && (
          <DisabledReason reason={isUnsaved && words('payments.saveFirst')}>
            <Button
              variant="default"
              leftSection={<IconFileInvoice size={17} stroke={1.75} aria-hidden />}
              onClick={() => setIssuing(true)}
            >
              {words('payments.issue')}
            </Button>
          </DisabledReason>
        )
      }
    >
      <Grid
        id="invoices"
        label={words('payments.invoices')}
        columns={columns}
        {...fromList(invoices)}
        rowKey={({ Id }) => Id}
        empty={{ text: words('payments.noInvoices') }}
        tone={({ VoidedAt }) => (VoidedAt ? 'quiet' : undefined)}
        height="auto"
        framed
        actions={(row) => [
          {
            label: words('payments.pdfNamed', { number: row.Number }),
            icon: <IconDownload size={16} stroke={1.75} />,
            onRun: () =>
              location.assign(
                callAddress(downloadInvoice, { params: { ...pathOf(arrangement), invoiceId: row.Id } }),
              ),
            quick: true,
          },
          ...(mayManage && !row.VoidedAt
            ? [
                {
                  label: words('payments.voidTitle', { number: row.Number }),
                  icon: <IconBan size={16} stroke={1.75} />,
                  onRun: () => setVoiding(row),
                  quick: true,
                  tone: 'danger' as const,
                },
              ]
            : []),
        ]}
      />
      <Pager page={page} pageSize={pageSize} total={total} onPage={setPage} />
      {isIssuing && <IssueDialog arrangement={arrangement} onClose={() => setIssuing(false)} />}
      {voiding && (
        <VoidDialog arrangement={arrangement} invoice={voiding} onClose={() => setVoiding(undefined)} />
      )}
    </Section>
  )
}

function IssueDialog({ arrangement, onClose }: { arrangement: Arrangement; onClose: () => void }) {
  const words = useWords()
  const today = dateOfInstant(new Date(), useTimeZone())
  const issue = useSave(issueInvoice, refresh)
  const last = arrangement.EndsOn && arrangement.EndsOn < today ? arrangement.EndsOn : today
  const form = useEditForm({
    initialValues: { CountedOn: last as string | null },
    rules: { CountedOn: required(words('payments.required')) },
    save: async ({ CountedOn }) => {
      const { Number: number } = await issue.run({
        params: pathOf(arrangement),
        body: { CountedOn: CountedOn ?? '' },
      })
      toast.done(words('payments.issued', { number }))
    },
  })
  const { CountedOn } = form.values
  const preview = useRead(
    previewInvoice,
    { params: pathOf(arrangement), query: { CountedOn: CountedOn ?? '' } },
    { isEnabled: CountedOn !== null, keepsLast: false, staleMs: 0 },
  )
  const sums = preview.data
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('payments.issueTitle')}
      subtitle={`${arrangement.College} – ${arrangement.Program}`}
      stayOnOutsideClick
      summary={
        sums &&
        words('payments.issueSummary', {
          students: sums.StudentCount.toLocaleString('en-US'),
          rate: dollars(sums.CentsPerStudent),
          tax: dollars(sums.TaxCents),
          total: dollars(sums.TotalCents),
        })
      }
      refusal={preview.error?.message ?? words('payments.issueNote')}
      actions={
        <DisabledReason reason={!sums && (preview.error?.message ?? words('payments.required'))}>
          <Button
            loading={form.isSaving}
            onClick={async () => {
              if (await form.submit()) onClose()
            }}
          >
            {words('payments.issue')}
          </Button>
        </DisabledReason>
      }
    >
      <Form form={form} onCancel={onClose} onSaved={onClose}>
        <DateField
          label={words('payments.countedOn')}
          required
          min={arrangement.StartsOn}
          max={last}
          {...form.field('CountedOn')}
        />
      </Form>
    </Dialog>
  )
}

function VoidDialog(props: { arrangement: Arrangement; invoice: Invoice; onClose: () => void }) {
  const { arrangement, invoice, onClose } = props
  const words = useWords()
  const run = useSave(voidInvoice, refresh)
  const form = useEditForm({
    initialValues: { Reason: '' },
    rules: { Reason: required(words('payments.required')) },
    save: ({ Reason }) =>
      run.run({ params: { ...pathOf(arrangement), invoiceId: invoice.Id }, body: { Reason } }),
  })
  const saved = () => {
    toast.done(words('payments.voided', { number: invoice.Number }))
    onClose()
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('payments.voidTitle', { number: invoice.Number })}
      subtitle={dollars(invoice.TotalCents)}
      summary={words('payments.voidSummary')}
      stayOnOutsideClick
      actions={
        <Button
          color="red"
          loading={form.isSaving}
          onClick={async () => {
            if (await form.submit()) saved()
          }}
        >
          {words('payments.void')}
        </Button>
      }
    >
      <Form form={form} onCancel={onClose} onSaved={saved}>
        <TextField label={words('payments.reason')} required maxLength={500} {...form.field('Reason')} />
      </Form>
    </Dialog>
  )
}
