import { Button } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { useState } from 'react'
import { type VerifiedRecord, verifyClinicalRecord } from '#contract/clinical-records/clinical-records.ts'
import { readNumber } from '#contract/clinical-records/record-rules.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useSave } from '#web/api/use-call.ts'
import { Logo } from '#web/shell/Logo.tsx'
import { attempt } from '#web/ui/attempt.ts'
import { formatDate, formatHours } from '#web/ui/dates.ts'
import { FileDrop } from '#web/ui/form/FileDrop.tsx'
import { Form } from '#web/ui/form/Form.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
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
  const form = useEditForm({
    initialValues: { Number: readNumber(number) ?? '', Name: '' },
    rules: {
      Number: (value: string) => (readNumber(value) ? null : words('clinicalRecords.badNumber')),
      Name: (value: string) => (value.trim() ? null : words('clinicalRecords.nameNeeded')),
    },
    save: async ({ Number: typed, Name }) => onResult(await verify.run({ body: { Number: typed, Name } })),
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
      <Form form={form}>
        <div className={classes.fields}>
          <TextField
            label={words('clinicalRecords.verifyNumber')}
            description={words('clinicalRecords.verifyNumberHint')}
            maxLength={40}
            {...form.field('Number')}
          />
          <TextField label={words('clinicalRecords.verifyName')} maxLength={200} {...form.field('Name')} />
          <Button loading={form.isSaving} onClick={() => void form.submit()}>
            {words('clinicalRecords.verifyButton')}
          </Button>
        </div>
      </Form>
      <div className={classes.or}>{words('clinicalRecords.or')}</div>
      <FileDrop
        label={words('clinicalRecords.verifyFile')}
        hint={words('clinicalRecords.verifyFileHint')}
        files={[]}
        onChange={([file]) => void check(file)}
        maxBytes={maxBytes}
        accept={['application/pdf']}
        {...(problem && { error: problem })}
      />
    </div>
  )
}

const icons = {
  valid: IconCircleCheck,
  changed: IconCircleX,
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
      <Button variant="default" onClick={onAnother}>
        {words('clinicalRecords.another')}
      </Button>
    </>
  )
}
