import { useState } from 'react'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import { toBase64 } from '#contract/core/fields.ts'
import {
  type EulaVersion,
  getEula,
  getEulaAcceptances,
  getEulaVersion,
  saveEula,
} from '#contract/settings/eula.ts'
import { CallError } from '#web/api/call.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { usePictureUpload } from '#web/api/use-picture-upload.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { formatInstant } from '#web/ui/dates.ts'
import { Form, FormActions } from '#web/ui/form/Form.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { Html } from '#web/ui/Html.tsx'
import { textOfHtml } from '#web/ui/html-text.ts'
import { isTablet } from '#web/ui/is-tablet.ts'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { RichText } from '#web/ui/RichText.tsx'
import { Section } from '#web/ui/Section.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './settings.module.css'

/** Edit EULA: the license agreement that everybody accepts before going on, and who has. */
export function EulaPage() {
  const eula = useRead(getEula, {}, { keepsLast: false, staleMs: 0 })
  if (eula.error) return <ReadProblem read={eula} />
  return eula.data ? <Editor eula={eula.data} /> : null
}

/** What the server says in words is shown as it is; of all other failures only the status is known. */
const isTold = (error: unknown): boolean =>
  error instanceof CallError && [0, 400, 409, 413, 422].includes(error.status)

function Editor({ eula }: { eula: AnswerOf<typeof getEula> }) {
  const { text, Version: version } = eula
  const words = useWords()
  const save = useSave(saveEula, { refresh: [getEula, getEulaAcceptances] })
  const upload = usePictureUpload(null)
  const isPlaintext = isTablet()
  const form = useEditForm({
    initialValues: { Text: text },
    labels: { Text: words('settings.eulaText') },
    draftKey: 'eula',
    save: async ({ Text }) => {
      const updatedText = toBase64(isPlaintext ? textOfHtml(Text) : Text)
      const { Message } = await save.run({ body: { updatedText, isPlaintext } }, { basedOn: eula })
      toast.done(Message)
    },
    onFailure: (error) => {
      toast.error(
        isTold(error)
          ? words('settings.notSaved', { message: (error as CallError).message })
          : words('settings.notSavedStatus', { status: (error as CallError).status ?? 0 }),
      )
      return true
    },
  })
  return (
    <Page
      title={words('settings.eulaTitle')}
      intro={words('settings.eulaIntro')}
      actions={<FormActions form={form} saveLabel={words('settings.submitChanges')} />}
      aside={<Acceptances isAsked={version !== null && text !== ''} />}
      inset
    >
      <Form form={form}>
        <RichText
          label={words('settings.eulaText')}
          value={form.values.Text}
          onChange={(html) => form.set('Text', html)}
          onUploadImage={upload}
          height={500}
        />
      </Form>
    </Page>
  )
}

function Acceptances({ isAsked }: { isAsked: boolean }) {
  const words = useWords()
  const timeZone = useTimeZone()
  const counts = useRead(getEulaAcceptances)
  const [opened, setOpened] = useState<EulaVersion>()
  if (!counts.data) return null
  const { Accepted, People, Versions } = counts.data
  return (
    <>
      <Section title={words('settings.acceptedTitle')}>
        {isAsked ? (
          <>
            <progress
              className={classes.progress}
              max={Math.max(1, People)}
              value={Accepted}
              aria-label={words('settings.acceptedTitle')}
            />
            <p className={classes.quiet}>
              {words('settings.acceptedBy', {
                accepted: Accepted.toLocaleString('en-US'),
                people: People.toLocaleString('en-US'),
              })}
            </p>
          </>
        ) : (
          <p className={classes.quiet}>{words('settings.nobodyAsked')}</p>
        )}
      </Section>
      <Section title={words('settings.versions')}>
        {Versions.length === 0 && <p className={classes.quiet}>{words('settings.noVersions')}</p>}
        <ul className={classes.versions}>
          {Versions.map((version, index) => (
            <li key={version.Id}>
              <button type="button" onClick={() => setOpened(version)}>
                <b>{formatInstant(version.SavedAt, timeZone)}</b>
                {index === 0 && <span className={classes.current}>{words('settings.current')}</span>}
                <small>
                  {words('settings.versionBy', {
                    name: version.SavedBy,
                    count: version.Accepted.toLocaleString('en-US'),
                  })}
                </small>
              </button>
            </li>
          ))}
        </ul>
      </Section>
      {opened && <VersionDialog version={opened} onClose={() => setOpened(undefined)} />}
    </>
  )
}

function VersionDialog({ version, onClose }: { version: EulaVersion; onClose: () => void }) {
  const words = useWords()
  const timeZone = useTimeZone()
  const text = useRead(getEulaVersion, { params: { versionId: version.Id } }, { keepsLast: false })
  return (
    <Dialog
      opened
      onClose={onClose}
      width={720}
      title={words('settings.versionOf', { date: formatInstant(version.SavedAt, timeZone) })}
      actions={<LeaveButton onClick={onClose}>{words('settings.close')}</LeaveButton>}
    >
      {text.error ? (
        <PageMessage kind="error" text={text.error.message} onRetry={() => void text.refetch()} />
      ) : text.data?.text === '' ? (
        <p className={classes.quiet}>{words('settings.emptyVersion')}</p>
      ) : (
        text.data && <Html html={text.data.text} className={classes.text} />
      )}
    </Dialog>
  )
}
