import { IconCircle } from '@tabler/icons-react'
import type {
  ClearanceChecks,
  ClinicalRecord,
  RecordContent,
} from '#contract/clinical-records/clinical-records.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { formatDate, formatHours } from '#web/ui/dates.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import { StatusIcon, StatusTag } from '#web/ui/StatusTag.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './clinical-records.module.css'
import { downloadActions } from './download-actions.tsx'

export const checkNames = ['Hours', 'Mandatory', 'Electives', 'Requirements'] as const
export type CheckName = (typeof checkNames)[number]

export const checkWords = {
  Hours: 'clinicalRecords.hours',
  Mandatory: 'clinicalRecords.mandatory',
  Electives: 'clinicalRecords.electives',
  Requirements: 'clinicalRecords.requirements',
} as const

/** How far one check is, in words: "480 of 600 h". */
export const checkText = (
  words: Words,
  name: CheckName,
  { Done, Needed }: ClearanceChecks[CheckName],
): string => {
  if (Needed === 0 && Done === 0) return words('clinicalRecords.noneAsked')
  return name === 'Hours'
    ? words('clinicalRecords.hoursOf', { done: formatHours(Done), needed: formatHours(Needed) })
    : words('clinicalRecords.countOf', { done: Done, needed: Needed })
}

/** A check that is met has a tick; one that is not an empty circle, which says no more than that. */
export function CheckMark({ isMet }: { isMet: boolean }) {
  const words = useWords()
  return (
    <>
      {isMet ? (
        <StatusIcon status="approved" size={16} />
      ) : (
        <IconCircle size={14} stroke={1.75} aria-hidden className={classes.open} />
      )}
      <span className="p-sr-only">{words(isMet ? 'clinicalRecords.met' : 'clinicalRecords.notMet')}</span>
    </>
  )
}

const recordStatus = { valid: 'approved', replaced: 'pending', revoked: 'rejected' } as const

/** The state of a record, with what ended it in the tooltip. */
export function RecordTag({ record }: { record: ClinicalRecord }) {
  const words = useWords()
  return (
    <StatusTag status={recordStatus[record.State]} title={endText(words, record)}>
      {words(`clinicalRecords.recordState_${record.State}`)}
    </StatusTag>
  )
}

/** Why a record is not valid any longer; empty for a valid one. */
export const endText = (words: Words, record: ClinicalRecord): string =>
  record.State === 'revoked'
    ? words('clinicalRecords.revokedBy', {
        name: record.RevokedBy ?? '',
        date: formatDate(record.RevokedOn),
        reason: record.RevokeReason,
      })
    : record.State === 'replaced'
      ? words('clinicalRecords.replacedBy', { number: record.ReplacedBy ?? '' })
      : ''

/** Hours by rotation and site. */
export function RotationsTable({ rotations }: { rotations: RecordContent['Rotations'] }) {
  const words = useWords()
  const rows = rotations.flatMap(({ Name, StartDate, EndDate, Sites }, index) =>
    Sites.map((site, at) => ({
      key: `${index}.${at}`,
      Rotation: Name || words('clinicalRecords.outside'),
      Dates: StartDate ? `${formatDate(StartDate)} – ${formatDate(EndDate)}` : '–',
      Site: site.Name || '–',
      Minutes: site.ApprovedMinutes,
    })),
  )
  return (
    <Grid
      id="record-rotations"
      label={words('clinicalRecords.hours')}
      rows={rows}
      rowKey={({ key }) => key}
      height="auto"
      framed
      noColumnChoice
      empty={{ text: words('clinicalRecords.noHours') }}
      columns={[
        { id: 'Rotation', header: words('clinicalRecords.rotation'), identity: true },
        { id: 'Dates', header: words('clinicalRecords.dates'), width: 210 },
        { id: 'Site', header: words('clinicalRecords.site') },
        {
          id: 'Minutes',
          header: words('clinicalRecords.approved'),
          width: 140,
          align: 'end',
          cell: ({ Minutes }) => formatHours(Minutes, true),
        },
      ]}
    />
  )
}

/** The procedures that were passed, with when and who examined. */
export function CompetenciesTable({ competencies }: { competencies: RecordContent['Competencies'] }) {
  const words = useWords()
  const patientOf = ({ IsSimulated, Patient }: RecordContent['Competencies'][number]) =>
    IsSimulated ? words('clinicalRecords.simulated') : words(`clinicalRecords.patient_${Patient}`)
  const examinerOf = ({ Examiner, Credential }: RecordContent['Competencies'][number]) =>
    [Examiner, Credential].filter(Boolean).join(', ')
  return (
    <Grid
      id="record-competencies"
      label={words('clinicalRecords.competencies')}
      rows={competencies}
      rowKey={({ Study, Procedure }) => `${Study} ${Procedure}`}
      height="auto"
      framed
      noColumnChoice
      empty={{ text: words('clinicalRecords.noCompetencies') }}
      columns={[
        { id: 'Procedure', header: words('clinicalRecords.procedure'), identity: true, minWidth: 200 },
        { id: 'Study', header: words('clinicalRecords.section'), width: 180 },
        {
          id: 'PassedOn',
          header: words('clinicalRecords.passedOn'),
          width: 120,
          cell: ({ PassedOn }) => formatDate(PassedOn),
        },
        {
          id: 'Patient',
          header: words('clinicalRecords.patient'),
          width: 120,
          cell: patientOf,
          text: patientOf,
        },
        { id: 'Examiner', header: words('clinicalRecords.examiner'), cell: examinerOf, text: examinerOf },
      ]}
    />
  )
}

/** The four checks of clearance, each with how far it is. */
export function Checks({ checks }: { checks: ClearanceChecks }) {
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

/** A student's records, the newest first, to be downloaded and revoked. */
export function RecordsTable({
  records,
  onRevoke,
}: {
  records: readonly ClinicalRecord[]
  onRevoke: (record: ClinicalRecord) => void
}) {
  const words = useWords()
  const programId = useProgramId()
  const mayRevoke = useMay()('clinical-records.issue')
  return (
    <Grid
      id="student-clinical-records"
      label={words('clinicalRecords.issued')}
      rows={records}
      rowKey={({ Id }) => Id}
      height="auto"
      framed
      noColumnChoice
      empty={{ text: words('clinicalRecords.noneOfStudent') }}
      actions={(row) => [
        ...downloadActions(words, programId, row),
        ...(row.State === 'valid' && mayRevoke
          ? [
              {
                label: words('clinicalRecords.revoke'),
                tone: 'danger' as const,
                onRun: () => onRevoke(row),
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
  )
}
