import { useState } from 'react'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import { endExemptions, getProofFile, getStudentRequirements } from '#contract/requirements/proof-review.ts'
import { callAddress } from '#web/api/call.ts'
import { useLiveEvent } from '#web/api/live.ts'
import { useParams } from '#web/api/place.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { RequirementState } from '#web/shared/RequirementState.tsx'
import { PageLink } from '#web/shell/PageLink.tsx'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { attemptWhenSure } from '#web/ui/attempt-when-sure.ts'
import { Button } from '#web/ui/buttons.ts'
import { dateOfInstant, formatDate } from '#web/ui/dates.ts'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { Section } from '#web/ui/Section.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import { ExemptDialog } from './ExemptDialog.tsx'
import { RecordDialog } from './RecordDialog.tsx'
import { exemptionWords, resultWords, ruleText, siteRefusalText } from './rule-words.ts'
import classes from './student-requirements.module.css'

type Item = AnswerOf<typeof getStudentRequirements>['Items'][number]

const sources = {
  student: 'requirements.sourceStudent',
  staff: 'requirements.sourceStaff',
  vendor: 'requirements.sourceVendor',
  signature: 'requirements.sourceSignature',
} as const

/** All requirements of a student for compliance staff: what was shown, exemptions, and what to do about each. */
export function StudentRequirementsPage() {
  const words = useWords()
  const programId = useProgramId()
  const may = useMay()
  const { studentId: text = '' } = useParams()
  const studentId = Number(text) || 0
  const read = useRead(getStudentRequirements, { params: { programId, studentId } })
  useLiveEvent('requirements', () => void read.refetch(), 2_000)
  const [exempting, setExempting] = useState<Item>()
  const [recording, setRecording] = useState<Item>()
  if (read.error && !read.data) return <ReadProblem read={read} />
  const items = read.data?.Items ?? []
  return (
    <Page
      title={words('requirements.ofStudent', { name: read.data?.Student ?? '' })}
      breadcrumb={words('requirements.matrixTitle')}
      intro={words('requirements.notVendors')}
      actions={
        <Button variant="default" component={PageLink} href={`/new/admin/students/${studentId}`}>
          {words('requirements.studentPage')}
        </Button>
      }
      inset
    >
      {read.data && items.length === 0 && (
        <PageMessage kind="empty" text={words('requirements.noRequirements')} />
      )}
      <div className={classes.list}>
        {items.map((item) => (
          <Section
            key={`${item.Id} ${item.SiteId ?? 0}`}
            title={item.Site ? `${item.Name} · ${item.Site}` : item.Name}
            end={<RequirementState state={item.Standing.State} until={item.Standing.ExpiresOn} />}
          >
            <div className={classes.body}>
              <p>{ruleText(words, item.Rule)}</p>
              {item.SiteRefuses && <p className={classes.blocks}>{siteRefusalText(words, item)}</p>}
              {item.Blocks && (
                <p className={classes.blocks}>
                  {words('requirements.blocksUntil', {
                    name: read.data!.Student,
                    site: item.Blocks.Site,
                    date: formatDate(item.Blocks.Date),
                  })}
                </p>
              )}
              {item.Notice && (
                <p className={classes.blocks}>
                  {words('requirements.noticeOpen', {
                    date: formatDate(item.Notice.SentOn),
                    until: formatDate(item.Notice.AnswerBy),
                  })}
                </p>
              )}
              {item.Request && (
                <p className={classes.exemption}>
                  <span>
                    {words('requirements.asksFor', {
                      kind: words(exemptionWords[item.Request.Kind]),
                      reason: item.Request.Reason,
                    })}
                  </span>
                  <Button variant="subtle" component={PageLink} href="/new/admin/requirements/requests">
                    {words('requirements.answerIt')}
                  </Button>
                </p>
              )}
              {item.Exemptions.map((exemption) => (
                <ExemptionLine key={exemption.Id} exemption={exemption} />
              ))}
              {item.Proofs.length > 0 && (
                <ul className={classes.proofs}>
                  {item.Proofs.map((proof) => (
                    <li key={proof.Id}>
                      <span>
                        {[
                          words(sources[proof.Source]),
                          formatDate(dateOfInstant(proof.SentAt)),
                          ...proof.Events.map(({ On, Until, Result }) =>
                            [
                              formatDate(On),
                              Until && `– ${formatDate(Until)}`,
                              Result && words(resultWords[Result]),
                            ]
                              .filter(Boolean)
                              .join(' '),
                          ),
                          proof.Vendor,
                        ]
                          .filter(Boolean)
                          .join(' · ')}
                        {proof.State === 'returned' && proof.ReturnReason && (
                          <> · {words('requirements.returnedBecause', { reason: proof.ReturnReason })}</>
                        )}
                      </span>
                      {proof.Files.map(({ Position, Name }) => (
                        <a
                          key={Position}
                          download={Name}
                          href={callAddress(getProofFile, {
                            params: { programId, studentId, proofId: proof.Id, position: Position },
                          })}
                        >
                          {Name}
                        </a>
                      ))}
                      <RequirementState state={proof.State} />
                    </li>
                  ))}
                </ul>
              )}
              <div className={classes.verbs}>
                {item.Rule.Kind !== 'signed' &&
                  (item.Rule.Kind !== 'result' || may('requirements.background')) && (
                    <Button variant="default" onClick={() => setRecording(item)}>
                      {words('requirements.record')}
                    </Button>
                  )}
                <Button variant="default" onClick={() => setExempting(item)}>
                  {words('requirements.exempt')}
                </Button>
                {item.Standing.IsWaiting && item.Rule.Kind !== 'result' && (
                  <Button variant="default" component={PageLink} href="/new/admin/requirements/review">
                    {words('requirements.reviewIt')}
                  </Button>
                )}
              </div>
            </div>
          </Section>
        ))}
      </div>
      {exempting && (
        <ExemptDialog
          studentIds={[studentId]}
          name={read.data!.Student}
          requirements={items}
          requirementId={exempting.Id}
          onClose={() => setExempting(undefined)}
        />
      )}
      {recording && (
        <RecordDialog
          studentId={studentId}
          requirement={recording}
          today={read.data!.Today}
          onClose={() => setRecording(undefined)}
        />
      )}
    </Page>
  )
}

function ExemptionLine({ exemption }: { exemption: Item['Exemptions'][number] }) {
  const words = useWords()
  const programId = useProgramId()
  const end = useSave(endExemptions, { refresh: [getStudentRequirements] })
  return (
    <p className={classes.exemption}>
      <span>
        {[
          words(exemptionWords[exemption.Kind]),
          exemption.Until && words('requirements.stateAcceptedTo', { date: formatDate(exemption.Until) }),
          words('requirements.reasonIs', { reason: exemption.Reason }),
          exemption.GrantedBy,
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
      <Button
        variant="subtle"
        loading={end.isRunning}
        onClick={() =>
          void attemptWhenSure(
            { text: words('requirements.endExemptionQuestion'), verb: words('requirements.endExemption') },
            async () => {
              await end.run({ params: { programId }, body: { Ids: [exemption.Id] } })
              toast.done(words('requirements.exemptionEnded'))
            },
            words('requirements.exemptionNotEnded'),
          )
        }
      >
        {words('requirements.endExemption')}
      </Button>
    </p>
  )
}
