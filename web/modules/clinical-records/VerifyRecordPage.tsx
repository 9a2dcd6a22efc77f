import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { useState } from 'react'
import { type VerifiedRecord, verifyClinicalRecord } from '#contract/clinical-records/clinical-records.ts'
import { readNumber } from '#contract/clinical-records/record-rules.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useSave } from '#web/api/use-call.ts'
import { Logo } from '#web/shell/Logo.tsx'
import { attempt } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { formatDate, formatHours } from '#web/ui/dates.ts'
import { FileDrop } from '#web/ui/form/FileDrop.tsx'
import { TextInput } from '#web/ui/inputs.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './clinical-records.module.css'
import { printOf } from './read-file.ts'
import { CompetenciesTable, RotationsTable } from './record-parts.tsx'

const maxBytes = 20 * 1024 ** 2

/** Anybody checks a clinical record here: by number and name, or by its file, which never leaves the device. */
export function VerifyRecordPage() {
  const words = useWords()
  const [result, setResult] = useState<VerifiedRecord>()
  return (
    <main className={classes.public}>
      <title>{`${words('clinicalRecords.verifyTitle')} · Practicum`}</title>
      <header>
        <Logo size={30} />
        <div>
          <h1>{words('clinicalRecords.verifyTitle')}</h1>
          {!result && <p>{words('clinicalRecords.verifyIntro')}</p>}
        </div>
      </header>
      {result ? (
        <Result result={result} onAnother={() => setResult(undefined)} />
      ) : (
        <Ask onResult={setResult} />
      )}
      <footer>{words('clinicalRecords.madeWith')}</footer>
    </main>
  )
}

function Ask({ onResult }: { onResult: (result: VerifiedRecord) => void }) {
  const words = useWords()
  const [{ number }] = useAddress({ number: '' })
  const verify = useSave(verifyClinicalRecord)
  const [problem, setProblem] = useState<string>()
  const [values, setValues] = useState({ Number: readNumber(number) ?? '', Name: '' })
  const [isTried, setTried] = useState(false)
  const wrong = {
    Number: readNumber(values.Number) ? null : words('clinicalRecords.badNumber'),
    Name: values.Name.trim() ? null : words('clinicalRecords.nameNeeded'),
  }
  const submit = () =>
    attempt(async () => {
      setTried(true)
      if (!wrong.Number && !wrong.Name) onResult(await verify.run({ body: values }))
    })
  const check = (file: File | undefined) =>
    attempt(async () => {
      setProblem(undefined)
      if (!file) return
      const print = await printOf(file)
      if (print) onResult(await verify.run({ body: { Number: print.number, Hash: print.hash } }))
      else setProblem(words('clinicalRecords.notARecord'))
    })
  return (
    <div className={classes.ask}>
      <form
        className={classes.fields}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <TextInput
          label={words('clinicalRecords.verifyNumber')}
          description={words('clinicalRecords.verifyNumberHint')}
          maxLength={40}
          value={values.Number}
          error={isTried && wrong.Number}
          onChange={(event) => setValues({ ...values, Number: event.currentTarget.value })}
        />
        <TextInput
          label={words('clinicalRecords.verifyName')}
          maxLength={200}
          value={values.Name}
          error={isTried && wrong.Name}
          onChange={(event) => setValues({ ...values, Name: event.currentTarget.value })}
        />
        <Button type="submit" loading={verify.isRunning}>
          {words('clinicalRecords.verifyButton')}
        </Button>
      </form>
      <div className={classes.or}>{words('clinicalRecords.or')}</div>
      <FileDrop
        label={words('clinicalRecords.verifyFile')}
        hint={words('clinicalRecords.verifyFileHint')}
        files={[]}
        onChange={([file]) => void check(file)}
        maxBytes={maxBytes}
        {...(problem && { error: problem })}
      />
    </div>
  )
}

const icons = {
  valid: IconCircleCheck,
  revoked: IconCircleX,
  replaced: IconAlertTriangle,
  unknown: IconCircleX,
}

function Result({ result, onAnother }: { result: VerifiedRecord; onAnother: () => void }) {
  const words = useWords()
  const { State, Record: record } = result
  const Icon = icons[State]
  return (
    <>
      <section className={classes.result} data-state={State} aria-live="polite">
        <Icon size={32} stroke={1.75} aria-hidden />
        <div>
          <h2>{words(`clinicalRecords.result_${State}`)}</h2>
          <p>
            {words(`clinicalRecords.resultNext_${State}`, {
              program: record?.Program ?? '',
              college: record?.College ?? '',
              date: formatDate(record?.EndedOn ?? null),
            })}
          </p>
        </div>
      </section>
      {record && (
        <dl className={classes.facts}>
          {[
            [words('clinicalRecords.holder'), record.Name],
            [words('clinicalRecords.program'), `${record.Program}, ${record.College}`],
            [
              words('clinicalRecords.kind'),
              words(record.IsFinal ? 'clinicalRecords.final' : 'clinicalRecords.interim'),
            ],
            [words('clinicalRecords.issuedOn'), formatDate(record.IssuedOn)],
            [words('clinicalRecords.number'), record.Number],
            ...(record.Hours
              ? [
                  [
                    words('clinicalRecords.totalHours'),
                    words('clinicalRecords.hoursOf', {
                      done: formatHours(record.Hours.ApprovedMinutes),
                      needed: formatHours(record.Hours.TargetMinutes),
                    }),
                  ],
                ]
              : []),
          ].map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {record?.Rotations && <RotationsTable rotations={record.Rotations} />}
      {record?.Competencies && <CompetenciesTable competencies={record.Competencies} />}
      {State === 'valid' && record && !record.Hours && !record.Rotations && !record.Competencies && (
        <p className={classes.note}>{words('clinicalRecords.notShared')}</p>
      )}
      <div>
        <Button variant="default" onClick={onAnother}>
          {words('clinicalRecords.another')}
        </Button>
      </div>
    </>
  )
}
