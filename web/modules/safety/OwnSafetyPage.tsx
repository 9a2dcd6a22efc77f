import { useState } from 'react'
import { declarePregnancy, getOwnDeclaration, withdrawDeclaration } from '#contract/safety/declarations.ts'
import { acknowledgeDoseReadings, type DoseReading, listOwnDoseReadings } from '#contract/safety/doses.ts'
import { type IncidentInput, listOwnIncidents } from '#contract/safety/incidents.ts'
import type { Kept } from '#web/api/queue/stores.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { KeptHere } from '#web/shared/KeptHere.tsx'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { attempt } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { dateOfInstant, formatDate } from '#web/ui/dates.ts'
import { DateField } from '#web/ui/form/DateField.tsx'
import { OwnCard, OwnEntry, OwnPart, OwnScreen } from '#web/ui/OwnScreen.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { incidentKind } from './incident-kind.ts'
import { kindWords } from './incident-words.ts'
import { NameDialog } from './NameDialog.tsx'
import { ReportIncidentDialog } from './ReportIncidentDialog.tsx'
import classes from './safety.module.css'

/** A student's readings, reports of incidents, and declaration. */
export function OwnSafetyPage() {
  const words = useWords()
  return (
    <OwnScreen title={words('safety.title')}>
      <Incidents />
      <Doses />
      <DeclarationPart />
    </OwnScreen>
  )
}

function Incidents() {
  const words = useWords()
  const own = useRead(listOwnIncidents)
  const [isReporting, setReporting] = useState(false)
  if (own.error && !own.data) return <ReadProblem read={own} />
  return (
    <OwnPart title={words('safety.incidentsTitle')} lead={words('safety.incidentsIntro')}>
      <div className={classes.verb}>
        <Button variant="default" size="lg" disabled={!own.data} onClick={() => setReporting(true)}>
          {words('safety.report')}
        </Button>
      </div>
      <WaitingReports />
      {own.data && own.data.Items.length > 0 && (
        <OwnCard>
          {own.data.Items.map((report) => (
            <OwnEntry key={report.Id}>
              <div className={classes.line}>
                <b>{words(kindWords[report.Kind])}</b>
                <StatusTag status={report.State === 'open' ? 'pending' : 'approved'}>
                  {words(report.State === 'open' ? 'safety.stateOpen' : 'safety.stateClosed')}
                </StatusTag>
              </div>
              <p>{[formatDate(report.Date), report.Site].filter(Boolean).join(' · ')}</p>
              <p>{report.Description}</p>
              {report.ClosedAt && (
                <p>
                  {words('safety.closedWith', {
                    date: formatDate(dateOfInstant(report.ClosedAt)),
                    text: report.FollowUp,
                  })}
                </p>
              )}
            </OwnEntry>
          ))}
        </OwnCard>
      )}
      {isReporting && own.data && <ReportIncidentDialog own={own.data} onClose={() => setReporting(false)} />}
    </OwnPart>
  )
}

/** Reports that wait on this device, and what the server refused of them. */
function WaitingReports() {
  const words = useWords()
  // `sendIncident` keeps nothing else.
  const of = ({ input }: Kept) => {
    const { Kind, Date: date } = input.body as IncidentInput
    return { kind: words(kindWords[Kind]), date: formatDate(date) }
  }
  return (
    <KeptHere
      kind={incidentKind}
      sentText={words('safety.sentLate')}
      waitingText={(item) => words('safety.waitingHere', of(item))}
      refusedText={(item, reason) => words('safety.refusedHere', { ...of(item), reason })}
    />
  )
}

function Doses() {
  const words = useWords()
  const doses = useRead(listOwnDoseReadings)
  const acknowledge = useSave(acknowledgeDoseReadings, { refresh: [listOwnDoseReadings] })
  const rows = doses.data ?? []
  const unread = rows.filter(({ AcknowledgedAt }) => AcknowledgedAt === null)
  const doseText = ({ Deep }: DoseReading): string =>
    Deep === null || Deep === 0 ? words('safety.minimal') : words('safety.deep', { dose: Deep })
  return (
    <OwnPart
      title={words('safety.dosesTitle')}
      {...(doses.data && rows.length === 0 && { lead: words('safety.noDoses') })}
    >
      {rows.length > 0 && (
        <OwnCard>
          {rows.map((reading) => (
            <OwnEntry key={reading.Id}>
              <div className={classes.line}>
                <b>
                  {words('safety.period', {
                    from: formatDate(reading.From),
                    through: formatDate(reading.Through),
                  })}
                </b>
                {reading.AcknowledgedAt === null && (
                  <StatusTag status="pending">{words('safety.unread')}</StatusTag>
                )}
              </div>
              <p>
                {[doseText(reading), words('safety.year', { dose: reading.YearDeep }), reading.Badge]
                  .filter(Boolean)
                  .join(' · ')}
              </p>
              {reading.IsOver && <p>{reading.ReviewNote || words('safety.overLimit')}</p>}
            </OwnEntry>
          ))}
        </OwnCard>
      )}
      {unread.length > 0 && (
        <div className={classes.verb}>
          <Button
            size="lg"
            loading={acknowledge.isRunning}
            onClick={() =>
              void attempt(async () => {
                await acknowledge.run({ body: { Ids: unread.map(({ Id }) => Id) } })
                toast.done(words('safety.didRead'))
              })
            }
          >
            {words('safety.markRead')}
          </Button>
        </div>
      )}
    </OwnPart>
  )
}

function DeclarationPart() {
  const words = useWords()
  const own = useRead(getOwnDeclaration)
  const refresh = { refresh: [getOwnDeclaration] }
  const declare = useSave(declarePregnancy, refresh)
  const withdraw = useSave(withdrawDeclaration, refresh)
  const [isOpen, setOpen] = useState(false)
  const [conceived, setConceived] = useState<string | null>(null)
  if (!own.data) return null
  const { Declared, Text } = own.data
  return (
    <OwnPart title={words('safety.declarationTitle')} lead={words('safety.declarationIntro')}>
      <div className={`${classes.verb} ${classes.line}`}>
        {Declared && (
          <span>{words('safety.declared', { date: formatDate(dateOfInstant(Declared.SignedAt)) })}</span>
        )}
        <Button variant="default" size="lg" onClick={() => setOpen(true)}>
          {words(Declared ? 'safety.withdraw' : 'safety.declare')}
        </Button>
      </div>
      {isOpen &&
        (Declared ? (
          <NameDialog
            title={words('safety.withdrawTitle')}
            text={words('safety.withdrawText')}
            verb={words('safety.withdraw')}
            onClose={() => setOpen(false)}
            onSign={async (Name) => {
              await withdraw.run({ body: { Name } })
              toast.done(words('safety.didWithdraw'))
            }}
          />
        ) : (
          <NameDialog
            title={words('safety.declareTitle')}
            text={Text}
            verb={words('safety.declare')}
            isReady={conceived !== null}
            onClose={() => setOpen(false)}
            onSign={async (Name) => {
              // The button waits for it.
              await declare.run({ body: { Name, ConceivedOn: conceived! } })
              toast.done(words('safety.didDeclare'))
            }}
          >
            <DateField
              label={words('safety.conceived')}
              required
              name="ConceivedOn"
              value={conceived}
              onChange={setConceived}
            />
          </NameDialog>
        ))}
    </OwnPart>
  )
}
