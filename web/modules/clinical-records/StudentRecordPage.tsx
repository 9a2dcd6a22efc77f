import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import {
  type ClinicalRecord,
  getStudentClinicalRecord,
  revokeClinicalRecord,
  type StudentClinicalRecord,
  signClearance,
  withdrawClearance,
} from '#contract/clinical-records/clinical-records.ts'
import { clearanceText } from '#contract/clinical-records/record-rules.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useMay, useProgramId, useUser } from '#web/api/use-state.ts'
import { StudentLink } from '#web/shared/StudentLink.tsx'
import { PageLink } from '#web/shell/PageLink.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { formatDate } from '#web/ui/dates.ts'
import { Form } from '#web/ui/form/Form.tsx'
import { required } from '#web/ui/form/rules.ts'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { Section } from '#web/ui/Section.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './clinical-records.module.css'
import { downloadAction } from './download-action.tsx'
import { IssueDialog, recorded } from './IssueDialog.tsx'
import {
  CheckMark,
  CompetenciesTable,
  checkNames,
  checkText,
  checkWords,
  endText,
  RecordTag,
  RotationsTable,
} from './record-parts.tsx'

/** One student's clearance for graduation, the records that were issued, and what the next one would say. */
export function StudentRecordPage() {
  const { studentId: given } = useParams({ strict: false }) as { studentId?: string }
  const words = useWords()
  const programId = useProgramId()
  const studentId = Number(given)
  const isId = Number.isSafeInteger(studentId) && studentId > 0
  const record = useRead(
    getStudentClinicalRecord,
    { params: { programId, studentId } },
    { isEnabled: isId, keepsLast: false },
  )
  if (!isId) return <PageMessage kind="not-found" text={words('shell.notFound')} />
  if (record.error)
    return record.error.status === 404 ? (
      <PageMessage kind="not-found" text={record.error.message} />
    ) : (
      <PageMessage kind="error" text={record.error.message} onRetry={() => void record.refetch()} />
    )
  if (!record.data) return null
  return <StudentRecord key={studentId} studentId={studentId} data={record.data} />
}

type Asked = 'sign' | 'withdraw' | 'issue' | ClinicalRecord

function StudentRecord({ studentId, data }: { studentId: number; data: StudentClinicalRecord }) {
  const words = useWords()
  const may = useMay()
  const programId = useProgramId()
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  const { Clearance, Draft, Records } = data
  const name = `${Draft.FirstName} ${Draft.LastName}`
  const mayClear = may('clinical-records.clear')
  return (
    <Page
      title={words('clinicalRecords.recordTitle')}
      inset
      breadcrumb={
        <PageLink href="/new/admin/clinical-records">{words('clinicalRecords.allRecords')}</PageLink>
      }
      intro={<StudentLink id={studentId}>{[name, Draft.Cohort].filter(Boolean).join(' · ')}</StudentLink>}
      actions={
        <>
          {mayClear &&
            (Clearance ? (
              <Button variant="default" onClick={() => setAsked('withdraw')}>
                {words('clinicalRecords.withdraw')}
              </Button>
            ) : (
              <Button variant="default" onClick={() => setAsked('sign')}>
                {words('clinicalRecords.sign')}
              </Button>
            ))}
          {may('clinical-records.issue') && (
            <Button onClick={() => setAsked('issue')}>{words('clinicalRecords.issue')}</Button>
          )}
        </>
      }
    >
      <div className={classes.sections}>
        <Section
          title={words('clinicalRecords.clearance')}
          end={
            <StatusTag status={Clearance ? 'approved' : 'pending'}>
              {Clearance
                ? words('clinicalRecords.clearedOn', { date: formatDate(Clearance.SignedOn) })
                : words('clinicalRecords.notCleared')}
            </StatusTag>
          }
        >
          <Checks checks={data.Checks} />
          {Clearance && (
            <p className={classes.note}>
              {words('clinicalRecords.clearedBy', {
                name: Clearance.Name,
                date: formatDate(Clearance.SignedOn),
              })}
              {Clearance.Exception &&
                `. ${words('clinicalRecords.exception', { reason: Clearance.Exception })}`}
            </p>
          )}
        </Section>
        <Section title={words('clinicalRecords.issued')}>
          <Grid
            id="student-clinical-records"
            label={words('clinicalRecords.issued')}
            rows={Records}
            rowKey={({ Id }) => Id}
            height="auto"
            framed
            noColumnChoice
            empty={{ text: words('clinicalRecords.noneOfStudent') }}
            actions={(row) => [
              downloadAction(words, programId, row),
              ...(row.State === 'valid' && may('clinical-records.issue')
                ? [
                    {
                      label: words('clinicalRecords.revoke'),
                      tone: 'danger' as const,
                      onRun: () => setAsked(row),
                    },
                  ]
                : []),
            ]}
            columns={[
              { id: 'Number', header: words('clinicalRecords.number'), identity: true, width: 190 },
              {
                id: 'IsFinal',
                header: words('clinicalRecords.kind'),
                width: 110,
                cell: ({ IsFinal }) => words(IsFinal ? 'clinicalRecords.final' : 'clinicalRecords.interim'),
              },
              {
                id: 'State',
                header: words('clinicalRecords.state'),
                cell: (row) => <RecordTag record={row} />,
                text: (row) => endText(words, row) || words(`clinicalRecords.recordState_${row.State}`),
              },
              {
                id: 'IssuedOn',
                header: words('clinicalRecords.issuedAt'),
                width: 120,
                cell: ({ IssuedOn }) => formatDate(IssuedOn),
              },
              { id: 'IssuedBy', header: words('clinicalRecords.issuedBy') },
            ]}
          />
        </Section>
        <Section title={words('clinicalRecords.draft')}>
          <p className={classes.note}>{words('clinicalRecords.draftNote')}</p>
          <RotationsTable rotations={Draft.Rotations} />
          <CompetenciesTable competencies={Draft.Competencies} />
        </Section>
      </div>
      {asked === 'sign' && <SignDialog studentId={studentId} name={name} data={data} onClose={close} />}
      {asked === 'withdraw' && <WithdrawDialog studentId={studentId} name={name} onClose={close} />}
      {asked === 'issue' && <IssueDialog studentIds={[studentId]} onClose={close} />}
      {typeof asked === 'object' && <RevokeDialog record={asked} onClose={close} />}
    </Page>
  )
}

function Checks({ checks }: { checks: StudentClinicalRecord['Checks'] }) {
  const words = useWords()
  return (
    <dl className={classes.checks}>
      {checkNames.map((name) => {
        const { IsMet, Done, Needed } = checks[name]
        return (
          <div key={name}>
            <dt>{words(checkWords[name])}</dt>
            <dd>
              <CheckMark isMet={IsMet} />
              {checkText(words, name, checks[name])}
            </dd>
            {Needed > 0 && (
              <span
                className={classes.bar}
                data-met={IsMet || undefined}
                style={{ '--share': Math.min(1, Done / Needed) } as React.CSSProperties}
                aria-hidden
              />
            )}
          </div>
        )
      })}
    </dl>
  )
}

interface DialogProps {
  studentId: number
  name: string
  onClose: () => void
}

function SignDialog({ studentId, name, data, onClose }: DialogProps & { data: StudentClinicalRecord }) {
  const words = useWords()
  const programId = useProgramId()
  const me = useUser()
  const sign = useSave(signClearance, recorded)
  const isMet = Object.values(data.Checks).every((check) => check.IsMet)
  const form = useEditForm({
    initialValues: { Name: '', Exception: '' },
    rules: { Name: required(), ...(!isMet && { Exception: required() }) },
    save: async (values) => {
      await sign.run({
        params: { programId, studentId },
        body: { ...values, Version: clearanceText.version },
      })
      toast.done({ title: words('clinicalRecords.signed', { name }) })
      onClose()
    },
  })
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('clinicalRecords.signTitle', { name })}
      stayOnOutsideClick
      actions={
        <Button loading={form.isSaving} onClick={() => void form.submit()}>
          {words('clinicalRecords.sign')}
        </Button>
      }
    >
      <Checks checks={data.Checks} />
      <p className={classes.signed}>{clearanceText.text}</p>
      <Form form={form} onCancel={onClose}>
        {!isMet && (
          <TextField
            label={words('clinicalRecords.signException')}
            description={words('clinicalRecords.signExceptionHint')}
            required
            maxLength={500}
            {...form.field('Exception')}
          />
        )}
        <TextField
          label={words('clinicalRecords.signName')}
          description={me.Name}
          required
          maxLength={200}
          {...form.field('Name')}
        />
      </Form>
    </Dialog>
  )
}

function WithdrawDialog({ studentId, name, onClose }: DialogProps) {
  const words = useWords()
  const programId = useProgramId()
  const withdraw = useSave(withdrawClearance, recorded)
  return (
    <ReasonDialog
      title={words('clinicalRecords.withdrawTitle', { name })}
      note={words('clinicalRecords.withdrawNote')}
      verb={words('clinicalRecords.withdraw')}
      onClose={onClose}
      save={async (Reason) => {
        await withdraw.run({ params: { programId, studentId }, body: { Reason } })
        toast.done({ title: words('clinicalRecords.withdrawn') })
      }}
    />
  )
}

function RevokeDialog({ record, onClose }: { record: ClinicalRecord; onClose: () => void }) {
  const words = useWords()
  const programId = useProgramId()
  const revoke = useSave(revokeClinicalRecord, recorded)
  return (
    <ReasonDialog
      title={words('clinicalRecords.revokeTitle', { number: record.Number })}
      note={words('clinicalRecords.revokeNote')}
      verb={words('clinicalRecords.revoke')}
      onClose={onClose}
      save={async (Reason) => {
        await revoke.run({ params: { programId, recordId: record.Id }, body: { Reason } })
        toast.done({ title: words('clinicalRecords.revoked', { number: record.Number }) })
      }}
    />
  )
}

function ReasonDialog({
  title,
  note,
  verb,
  onClose,
  save,
}: {
  title: string
  note: string
  verb: string
  onClose: () => void
  save: (reason: string) => Promise<void>
}) {
  const words = useWords()
  const form = useEditForm({
    initialValues: { Reason: '' },
    rules: { Reason: required() },
    save: async ({ Reason }) => {
      await save(Reason)
      onClose()
    },
  })
  return (
    <Dialog
      opened
      onClose={onClose}
      title={title}
      actions={
        <Button color="red" loading={form.isSaving} onClick={() => void form.submit()}>
          {verb}
        </Button>
      }
    >
      <p className={classes.note}>{note}</p>
      <Form form={form} onCancel={onClose}>
        <TextField
          label={words('clinicalRecords.revokeReason')}
          required
          maxLength={500}
          {...form.field('Reason')}
        />
      </Form>
    </Dialog>
  )
}
