import { IconDownload, IconEraser, IconPencil, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { maxCertificate } from '#contract/saml/saml.ts'
import { Button } from '#web/ui/buttons.ts'
import { confirm } from '#web/ui/confirm.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { FileButton } from '#web/ui/file-button.ts'
import { inputProps } from '#web/ui/form/field-parts.tsx'
import { TextAreaField } from '#web/ui/form/TextAreaField.tsx'
import type { FieldProps } from '#web/ui/form/use-edit-form.ts'
import { Input } from '#web/ui/inputs.ts'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './saml.module.css'

const icon = { size: 16, stroke: 1.75, 'aria-hidden': true } as const

/** A certificate in a form: uploaded, written in a dialog, downloaded, cleared. */
export function CertificateField(props: FieldProps<string> & { fileName: string }) {
  const { value, onChange, fileName } = props
  const words = useWords()
  const [draft, setDraft] = useState<string>()
  const text = value.trim()
  const count = (text.match(/-----BEGIN CERTIFICATE-----/g) ?? []).length
  const state = count > 0 ? words('saml.certificateCount', { count }) : words('saml.certificateText')

  const upload = async (file: File | null) => {
    if (!file) return
    if (file.size > maxCertificate) {
      toast.error(words('saml.tooLarge', { name: file.name }))
      return
    }
    try {
      onChange((await file.text()).trim())
    } catch {
      toast.error(words('saml.unreadable', { name: file.name }))
    }
  }
  const download = () => {
    if (!text) {
      toast.error(words('saml.noCertificateData'))
      return
    }
    const address = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }))
    const link = document.createElement('a')
    link.href = address
    link.download = fileName
    link.click()
    URL.revokeObjectURL(address)
  }
  const clear = async () => {
    const isSure = await confirm({
      text: words('saml.clearQuestion'),
      detail: words('saml.clearDetail'),
      verb: words('saml.clear'),
      danger: true,
    })
    if (isSure) onChange('')
  }
  const { id, label, error } = inputProps({ ...props, label: words('saml.certificate') })
  return (
    <Input.Wrapper
      label={label}
      error={error}
      withAsterisk
      labelElement="div"
      labelProps={{ id: `${id}-label` }}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would bring its own frame into the form's grid */}
      <div
        id={id}
        role="group"
        tabIndex={-1}
        aria-labelledby={`${id}-label`}
        className={classes.certificate}
        data-error={props.error ? true : undefined}
      >
        <div className={classes.state}>
          {text ? (
            <>
              <b>{state}</b>
              <code className={classes.text}>{text.replace(/-----[^-]+-----|\s/g, '')}</code>
            </>
          ) : (
            words('saml.noCertificate')
          )}
        </div>
        <div className={classes.verbs}>
          <FileButton onChange={(file) => void upload(file)} accept=".txt,.pem,.crt,.cer,text/plain">
            {(button) => (
              <Button {...button} variant="default" size="xs" leftSection={<IconUpload {...icon} />}>
                {words('saml.upload')}
              </Button>
            )}
          </FileButton>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPencil {...icon} />}
            onClick={() => setDraft(value)}
          >
            {words('saml.editCertificate')}
          </Button>
          <Button variant="default" size="xs" leftSection={<IconDownload {...icon} />} onClick={download}>
            {words('saml.download')}
          </Button>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconEraser {...icon} />}
            onClick={() => void clear()}
          >
            {words('saml.clear')}
          </Button>
        </div>
      </div>
      <Dialog
        opened={draft !== undefined}
        onClose={() => setDraft(undefined)}
        title={words('saml.certificateDialog')}
        subtitle={words('saml.certificateDialogHint')}
        width={640}
        stayOnOutsideClick
        actions={
          <>
            <LeaveButton variant="subtle" color="gray" data-quiet onClick={() => setDraft(undefined)} />
            <Button
              onClick={() => {
                onChange((draft ?? '').trim())
                setDraft(undefined)
              }}
            >
              {words('saml.apply')}
            </Button>
          </>
        }
      >
        <div className={classes.editor}>
          <TextAreaField
            name="CertificateText"
            label={words('saml.certificate')}
            rows={12}
            maxLength={maxCertificate}
            value={draft ?? ''}
            onChange={setDraft}
          />
        </div>
      </Dialog>
    </Input.Wrapper>
  )
}
