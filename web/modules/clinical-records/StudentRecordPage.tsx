import { useState } from 'react'
import {
  type ClinicalRecord,
  getEndorsement,
  getStudentClinicalRecord,
  type StudentClinicalRecord,
} from '#contract/clinical-records/clinical-records.ts'
import { exceptionBesides } from '#contract/clinical-records/record-rules.ts'
import { callAddress } from '#web/api/call.ts'
import { useParams } from '#web/api/place.ts'
import { useRead } from '#web/api/use-call.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { StudentLink } from '#web/shared/StudentLink.tsx'
import { PageLink } from '#web/shell/PageLink.tsx'
import { Button } from '#web/ui/buttons.ts'
import { formatDate } from '#web/ui/dates.ts'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { Section } from '#web/ui/Section.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { useWords } from '#web/words/use-words.ts'
import { ClearedTag } from './ClearedTag.tsx'
import classes from './clinical-records.module.css'
import { IssueDialog } from './IssueDialog.tsx'
import { RevokeDialog, SignDialog, WithdrawDialog } from './record-dialogs.tsx'
import { Checks, CompetenciesTable, RecordsTable, RotationsTable } from './record-parts.tsx'

/** One student's clearance for graduation, the records that were issued, and what the next one would say. */
export function StudentRecordPage() {
  const { studentId: given } = useParams()
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
          {may('clinical-records.issue') && Clearance && (
            <Button
              variant="default"
              component="a"
              href={callAddress(getEndorsement, { params: { programId, studentId } })}
              download
            >
              {words('clinicalRecords.endorsement')}
            </Button>
          )}
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
            Clearance ? (
              <ClearedTag date={Clearance.SignedOn} exception={Clearance.Exception} />
            ) : (
              <StatusTag status="pending">{words('clinicalRecords.notCleared')}</StatusTag>
            )
          }
        >
          <Checks checks={data.Checks} />
          {data.Missing.length > 0 && (
            <p className={classes.note}>
              {words('clinicalRecords.missing', { names: data.Missing.join(', ') })}
            </p>
          )}
          {Clearance && (
            <p className={classes.note}>
              {Clearance.Exception && `${[Clearance.Text, ...exceptionBesides(Clearance)].join(' ')} `}
              {words('clinicalRecords.clearedBy', {
                name: Clearance.Name,
                date: formatDate(Clearance.SignedOn),
              })}
            </p>
          )}
        </Section>
        <Section title={words('clinicalRecords.issued')}>
          <RecordsTable records={Records} onRevoke={setAsked} />
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
