import { IconDownload, IconLink, IconShieldCheck } from '@tabler/icons-react'
import { useState } from 'react'
import {
  type ClinicalRecord,
  getOwnClinicalRecordFile,
  listOwnClinicalRecords,
  shareOwnClinicalRecord,
} from '#contract/clinical-records/clinical-records.ts'
import { type SharedPart, sharedParts } from '#contract/clinical-records/record-rules.ts'
import { callAddress } from '#web/api/call.ts'
import { pageAddress } from '#web/api/root.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { attempt } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { formatDate } from '#web/ui/dates.ts'
import { Checkbox } from '#web/ui/inputs.ts'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './clinical-records.module.css'
import { endText, RecordTag } from './record-parts.tsx'

/** The own clinical records: the PDF to keep, and what those see who verify it. */
export function OwnRecordsPage() {
  const words = useWords()
  const own = useRead(listOwnClinicalRecords)
  const records = own.data?.Records
  return (
    <Page title={words('clinicalRecords.ownTitle')} inset>
      {own.error && <PageMessage kind="error" text={own.error.message} onRetry={() => void own.refetch()} />}
      {records?.length === 0 && <PageMessage kind="empty" text={words('clinicalRecords.ownEmpty')} />}
      {records && records.length > 0 && (
        <>
          <p className={classes.note}>
            {words('clinicalRecords.ownIntro')} {words('clinicalRecords.ownCredential')}
          </p>
          <ul className={classes.cards}>
            {records.map((record) => (
              <li key={record.Id}>
                <Card record={record} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Page>
  )
}

function Card({ record }: { record: ClinicalRecord }) {
  const words = useWords()
  const share = useSave(shareOwnClinicalRecord, { refresh: [listOwnClinicalRecords] })
  const isValid = record.State === 'valid'
  /** As it was chosen, until the server has it. */
  const [chosen, setChosen] = useState<SharedPart[]>()
  const shown = chosen ?? record.Shares
  const toggle = async (part: SharedPart) => {
    const Shares = shown.includes(part) ? shown.filter((each) => each !== part) : [...shown, part]
    setChosen(Shares)
    await attempt(async () => {
      await share.run({ params: { recordId: record.Id }, body: { Shares } })
      toast.done(words('clinicalRecords.shared'))
    })
    setChosen(undefined)
  }
  const copy = () =>
    attempt(async () => {
      await navigator.clipboard.writeText(
        `${location.origin}${pageAddress('verify')}?number=${record.Number}`,
      )
      toast.done(words('clinicalRecords.copied'))
    })
  return (
    <>
      <header>
        <h2>{record.Number}</h2>
        <RecordTag record={record} />
      </header>
      <p className={classes.about}>
        {[
          words(record.IsFinal ? 'clinicalRecords.final' : 'clinicalRecords.interim'),
          `${words('clinicalRecords.issuedAt')} ${formatDate(record.IssuedOn)}`,
        ].join(' · ')}
      </p>
      {!isValid && <p className={classes.about}>{endText(words, record)}</p>}
      <div className={classes.verbs}>
        <Button
          component="a"
          href={callAddress(getOwnClinicalRecordFile, { params: { recordId: record.Id } })}
          download
          variant={isValid ? 'filled' : 'default'}
          leftSection={<IconDownload size={17} stroke={1.75} aria-hidden />}
        >
          {words('clinicalRecords.download')}
        </Button>
        <Button
          component="a"
          href={callAddress(getOwnClinicalRecordFile, {
            params: { recordId: record.Id },
            query: { Format: 'credential' },
          })}
          download
          variant="default"
          leftSection={<IconShieldCheck size={17} stroke={1.75} aria-hidden />}
        >
          {words('clinicalRecords.downloadCredential')}
        </Button>
        {isValid && (
          <Button
            variant="default"
            leftSection={<IconLink size={17} stroke={1.75} aria-hidden />}
            onClick={() => void copy()}
          >
            {words('clinicalRecords.verifyLink')}
          </Button>
        )}
      </div>
      {isValid && (
        <fieldset className={classes.shares}>
          <legend>{words('clinicalRecords.shares')}</legend>
          <p className={classes.note}>{words('clinicalRecords.sharesNote')}</p>
          {sharedParts.map((part) => (
            <Checkbox
              key={part}
              label={words(`clinicalRecords.share_${part}`)}
              checked={shown.includes(part)}
              disabled={share.isRunning}
              onChange={() => void toggle(part)}
            />
          ))}
        </fieldset>
      )}
    </>
  )
}
