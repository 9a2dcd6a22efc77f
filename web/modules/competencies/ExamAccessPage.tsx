import { type FormEvent, useEffect, useState } from 'react'
import {
  decideExamByCode,
  findExam,
  type Grading,
  mailExamCode,
  proveExaminer,
  scoreItemByCode,
} from '#contract/competencies/exam-grading.ts'
import { readShortCode, writeShortCode } from '#contract/competencies/exam-rules.ts'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import { CallError, call } from '#web/api/call.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { Logo } from '#web/shell/Logo.tsx'
import { Button } from '#web/ui/buttons.ts'
import { TextInput } from '#web/ui/inputs.ts'
import { Problem } from '#web/ui/Problem.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './exams.module.css'
import { GradedMessage } from './GradedMessage.tsx'
import { GradeForm } from './GradeForm.tsx'

type Found = AnswerOf<typeof findExam>
type Decided = AnswerOf<typeof decideExamByCode>

/**
 * Grading on a device that is not the examiner's: the student's phone, or a ward computer. The token that their code opens is in this
 * page's memory alone: whoever loads the page again has to have another code sent.
 */
export function ExamAccessPage() {
  const words = useWords()
  const navigate = usePageNavigate()
  const [at] = useAddress({ code: '', attempt: 0 })
  const [opened, setOpened] = useState<{ token: string; grading: Grading }>()
  const [decided, setDecided] = useState<Decided>()
  const leave = () => navigate(at.attempt > 0 ? `/competencies/exams/${at.attempt}` : '/exam')
  return (
    <main className={classes.alone}>
      <title>{`${words('exams.openTitle')} · Practicum`}</title>
      {decided && opened ? (
        <GradedMessage procedure={opened.grading.Procedure} decided={decided}>
          <Button
            size="lg"
            onClick={() => {
              setOpened(undefined)
              setDecided(undefined)
              leave()
            }}
          >
            {words(at.attempt > 0 ? 'exams.giveBack' : 'exams.leave')}
          </Button>
        </GradedMessage>
      ) : opened ? (
        <GradeForm
          grading={opened.grading}
          lock={words('exams.lockCode', { name: opened.grading.Examiner })}
          save={(item) => call(scoreItemByCode, { body: { Token: opened.token, ...item } })}
          decide={(decision) => call(decideExamByCode, { body: { Token: opened.token, ...decision } })}
          onDone={setDecided}
        />
      ) : (
        <Gate
          key={at.code}
          shortCode={at.code}
          onOpened={setOpened}
          onLeave={at.attempt > 0 ? leave : undefined}
        />
      )}
    </main>
  )
}

function Gate(props: {
  shortCode: string
  onOpened: (opened: { token: string; grading: Grading }) => void
  onLeave: (() => void) | undefined
}) {
  const words = useWords()
  const [shortCode, setShortCode] = useState(props.shortCode)
  const [found, setFound] = useState<Found>()
  const [mailedTo, setMailedTo] = useState<string>()
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isRunning, setRunning] = useState(false)
  const run = async (work: () => Promise<void>) => {
    setRunning(true)
    setProblem(undefined)
    try {
      await work()
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setProblem(error.message)
    } finally {
      setRunning(false)
    }
  }
  const ShortCode = readShortCode(shortCode)
  const find = () => run(async () => setFound(await call(findExam, { body: { ShortCode } })))
  const mail = () =>
    run(async () => {
      const { Email } = await call(mailExamCode, { body: { ShortCode } })
      setCode('')
      setMailedTo(Email)
    })
  const open = () =>
    run(async () => {
      const { Token, Grading: grading } = await call(proveExaminer, { body: { ShortCode, Code: code } })
      props.onOpened({ token: Token, grading })
    })
  // What comes with the address is looked up at once; later typing is looked up when it is sent.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens
  useEffect(() => {
    if (props.shortCode !== '') void find()
  }, [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!found) void find()
    else if (mailedTo === undefined) void mail()
    else void open()
  }
  const name = [found?.Examiner, found?.Credential].filter(Boolean).join(', ')
  return (
    <form className={classes.screen} noValidate onSubmit={submit}>
      <div className={classes.brand}>
        <Logo size={28} />
        {found?.Program ?? 'Practicum'}
      </div>
      <h1 className={classes.title}>{found ? name : words('exams.openTitle')}</h1>
      {!found && (
        <>
          <p className={classes.quiet}>{words('exams.openHint')}</p>
          <TextInput
            label={words('exams.shortCode')}
            size="md"
            autoComplete="off"
            autoCapitalize="characters"
            placeholder={writeShortCode('KXMN4PQR')}
            value={shortCode}
            onChange={(event) => setShortCode(event.currentTarget.value)}
          />
        </>
      )}
      {found && mailedTo === undefined && (
        <p>{words('exams.proveHint', { email: found.Email, name: found.Examiner })}</p>
      )}
      {mailedTo !== undefined && (
        <>
          <p role="status">{words('exams.mailedTo', { email: mailedTo })}</p>
          <TextInput
            label={words('exams.codeLabel')}
            size="md"
            inputMode="numeric"
            autoComplete="off"
            autoFocus
            value={code}
            onChange={(event) => setCode(event.currentTarget.value.replace(/\D/g, '').slice(0, 6))}
          />
        </>
      )}
      <Problem text={problem} />
      <Button
        type="submit"
        size="lg"
        loading={isRunning}
        disabled={found ? mailedTo !== undefined && code.length < 6 : ShortCode.length < 8}
      >
        {words(!found ? 'exams.next' : mailedTo === undefined ? 'exams.mailCode' : 'exams.openExam')}
      </Button>
      {mailedTo !== undefined && (
        <Button size="lg" variant="subtle" disabled={isRunning} onClick={() => void mail()}>
          {words('exams.newCode')}
        </Button>
      )}
      {props.onLeave && (
        <Button size="lg" variant="default" onClick={props.onLeave}>
          {words('exams.back')}
        </Button>
      )}
      <p className={classes.quiet}>{words(found ? 'exams.notYou' : 'exams.leavesNothing')}</p>
    </form>
  )
}
