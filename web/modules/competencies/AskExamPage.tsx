import { useState } from 'react'
import type { ExamWay } from '#contract/competencies/exam-rules.ts'
import {
  type Candidate,
  changeExaminer,
  declareExam,
  getOwnExam,
  getOwnExams,
  listCandidates,
  type OwnExam,
} from '#contract/competencies/exams.ts'
import type { Patient } from '#contract/competencies/log-rules.ts'
import { getOwnStanding } from '#contract/competencies/procedure-logs.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { usePhoneTask } from '#web/shell/phone-task.ts'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { Button } from '#web/ui/buttons.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { Problem } from '#web/ui/Problem.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './exams.module.css'
import { RadioChips } from './RadioChips.tsx'

const keyOf = ({ ExaminerId, RosterId }: Candidate): string => `${ExaminerId ?? ''}-${RosterId ?? ''}`

/** Declares an attempt and asks an examiner; with `attempt` asks somebody else for one that is declared. */
export function AskExamPage() {
  const words = useWords()
  const navigate = usePageNavigate()
  const [at] = useAddress({ procedure: 0, attempt: 0 })
  const standing = useRead(getOwnStanding)
  const exams = useRead(getOwnExams)
  usePhoneTask({ title: words('exams.askTitle'), onBack: () => navigate('/competencies') }, 'ask')
  const failed = [standing, exams].find(({ error, data }) => error && !data)
  if (failed) return <ReadProblem read={failed} />
  if (!standing.data || !exams.data) return <title>{`${words('exams.askTitle')} · Practicum`}</title>
  const exam = exams.data.Exams.find(({ ProcedureId }) => ProcedureId === at.procedure)
  const name = standing.data.Procedures.find(({ Id }) => Id === at.procedure)?.Name ?? ''
  if (!exam || (!exam.IsReady && at.attempt === 0))
    return (
      <div className={classes.screen}>
        <PageMessage
          kind="empty"
          text={name || words('exams.title')}
          detail={exam?.Missing.map(({ Text }) => Text).join(' ') ?? words('exams.notReady')}
        />
        <Button variant="default" size="lg" onClick={() => navigate('/competencies')}>
          {words('exams.back')}
        </Button>
      </div>
    )
  return <AskForm exam={exam} name={name} attemptId={at.attempt || undefined} />
}

function AskForm({ exam, name, attemptId }: { exam: OwnExam; name: string; attemptId: number | undefined }) {
  const words = useWords()
  const navigate = usePageNavigate()
  const [siteId, setSiteId] = useState<number>()
  const [patient, setPatient] = useState<Patient>('adult')
  const [isSimulated, setSimulated] = useState(false)
  const [chosen, setChosen] = useState<string>()
  const [wantedWay, setWay] = useState<ExamWay>()
  const [problem, setProblem] = useState<string>()
  const found = useRead(listCandidates, {
    query: { ProcedureId: exam.ProcedureId, ...(siteId !== undefined && { SiteId: siteId }) },
  })
  const refresh = { refresh: [getOwnExams, getOwnExam] }
  const declare = useSave(declareExam, refresh)
  const change = useSave(changeExaminer, refresh)
  const candidates = found.data?.Candidates ?? []
  const person = candidates.find((each) => keyOf(each) === chosen && each.Why === null)
  const ways: ExamWay[] = person?.HasAccount ? ['account', 'handover', 'link'] : ['handover', 'link']
  const way = wantedWay && ways.includes(wantedWay) ? wantedWay : ways[0]
  const wayWords = {
    account: { label: words('exams.wayAccount'), hint: 'exams.wayAccountHint' },
    link: { label: words('exams.wayLink'), hint: 'exams.wayLinkHint' },
    handover: { label: words('exams.wayHandover'), hint: 'exams.wayHandoverHint' },
  } as const
  const ask = async () => {
    if (!person || !way) return
    const examiner = { ExaminerId: person.ExaminerId, RosterId: person.RosterId, Way: way }
    try {
      const attempt = attemptId
        ? await change.run({ params: { attemptId }, body: examiner })
        : await declare.run({
            body: {
              ProcedureId: exam.ProcedureId,
              SiteId: found.data?.SiteId ?? null,
              ...examiner,
              Patient: patient,
              IsSimulated: isSimulated,
            },
          })
      navigate(`/competencies/exams/${attempt.Id}`, { replace: true })
    } catch (error) {
      setProblem((error as Error).message)
    }
  }
  return (
    <div className={classes.screen}>
      <title>{`${words('exams.askTitle')} · Practicum`}</title>
      <div>
        <h1 className={classes.title}>{name}</h1>
        <p className={classes.quiet}>{words('exams.askHint')}</p>
      </div>
      {!attemptId && (
        <>
          {found.data && found.data.Sites.length > 0 && (
            <SelectField
              label={words('exams.site')}
              name="SiteId"
              required
              options={found.data.Sites.map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
              value={found.data.SiteId === null ? null : String(found.data.SiteId)}
              onChange={(value) => setSiteId(value === null ? undefined : Number(value))}
            />
          )}
          <RadioChips<Patient>
            label={words('exams.patient')}
            name="patient"
            options={(['adult', 'pediatric', 'geriatric'] as const).map((value) => ({
              value,
              label: words(`exams.${value}`),
            }))}
            value={patient}
            onChange={setPatient}
          />
          {exam.NotSimulated === null && (
            <>
              <RadioChips<'patient' | 'simulated'>
                label={words('exams.simulated')}
                name="how"
                options={[
                  { value: 'patient', label: words('exams.onPatient') },
                  { value: 'simulated', label: words('exams.simulated') },
                ]}
                value={isSimulated ? 'simulated' : 'patient'}
                onChange={(value) => setSimulated(value === 'simulated')}
              />
              {isSimulated && <p className={classes.quiet}>{words('exams.simulatedHint')}</p>}
            </>
          )}
        </>
      )}
      <fieldset className={classes.people}>
        <legend className={classes.legend}>{words('exams.who')}</legend>
        {found.data && candidates.length === 0 && (
          <p className={classes.quiet}>{words('exams.noCandidates')}</p>
        )}
        <div className={classes.card}>
          {candidates.map((each) => (
            <label key={keyOf(each)} className={classes.person} data-off={each.Why !== null || undefined}>
              <input
                type="radio"
                name="examiner"
                disabled={each.Why !== null}
                checked={keyOf(each) === chosen}
                onChange={() => setChosen(keyOf(each))}
              />
              <span className={classes.personText}>
                <b>{[each.Name, each.Credential].filter(Boolean).join(', ')}</b>
                <span>{each.Why ? words('exams.whyNot', { reason: each.Why }) : each.Email}</span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <div className={classes.foot}>
        {person && way && (
          <>
            <RadioChips<ExamWay>
              label={words('exams.how')}
              name="way"
              options={ways.map((value) => ({ value, label: wayWords[value].label }))}
              value={way}
              onChange={setWay}
            />
            <p className={classes.quiet}>
              {words(wayWords[way].hint, { name: person.Name, email: person.Email })}
            </p>
          </>
        )}
        <Problem text={problem} />
        <Button
          size="lg"
          disabled={!person}
          loading={declare.isRunning || change.isRunning}
          onClick={() => void ask()}
        >
          {words('exams.declare')}
        </Button>
      </div>
    </div>
  )
}
