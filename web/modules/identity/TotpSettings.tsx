import { IconCopy, IconDownload, IconShieldCheck, IconShieldOff } from '@tabler/icons-react'
import { QRCodeSVG } from 'qrcode.react'
import { useState } from 'react'
import {
  createRecoveryCodes,
  createTotpSecret,
  getRecoveryCodes,
  getTotpSettings,
  recoveryCodeCount,
  saveTotpSettings,
  totpAddress,
} from '#contract/identity/authenticator.ts'
import { getSession } from '#contract/identity/identity.ts'
import { toldBy } from '#web/api/told.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useAppState } from '#web/api/use-state.ts'
import { Button } from '#web/ui/buttons.ts'
import { confirm } from '#web/ui/confirm.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { PasswordInput, TextInput } from '#web/ui/inputs.ts'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { toast, useToastSettings } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './totp.module.css'

const toastSettings = { place: 'top-center', duration: 1000, limit: 1 } as const

const copyText = async (text: string): Promise<boolean> =>
  navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  ) ?? false

/**
 * The authenticator of the signed-in person: a summary, and the configuration with QR code and secret.
 * 'Close' is shown only with a handler.
 */
export function TotpSettings({ onClose }: { onClose?: () => void }) {
  const words = useWords()
  const state = useAppState()
  useToastSettings(toastSettings)
  if (state.error) return <PageMessage kind="error" text={words('account.unknownError')} />
  if (!state.data) return null
  return <Settings userId={state.data.User.Id} {...(onClose && { onClose })} />
}

function Settings({ userId, onClose }: { userId: number; onClose?: () => void }) {
  const words = useWords()
  const settings = useRead(getTotpSettings, { params: { userId } })
  const newSecret = useSave(createTotpSecret)
  const save = useSave(saveTotpSettings, { refresh: [getTotpSettings, getRecoveryCodes, getSession] })
  const makeCodes = useSave(createRecoveryCodes, { refresh: [getRecoveryCodes] })
  const [secret, setSecret] = useState<string>()
  const [codes, setCodes] = useState<string[]>()
  const [isDisabling, setDisabling] = useState(false)
  const failure = (error: unknown) => toldBy(error) || words('account.totpFailed')
  const tell = (error: unknown) => toast.error(failure(error))

  const enable = async () => {
    try {
      setSecret((await newSecret.run()).Secret)
    } catch (error) {
      tell(error)
    }
  }
  const disable = async (proof: Proof) => {
    const answer = await save.run({ params: { userId }, body: { Enable: false, ...proof } })
    if (!answer.Success) return answer.ErrorMessage ?? words('account.totpFailed')
    setDisabling(false)
    setCodes(undefined)
    return undefined
  }
  const showCodes = async () => {
    try {
      setCodes((await makeCodes.run()).Codes)
    } catch (error) {
      tell(error)
    }
  }
  /** What is wrong with the code, if something is: shown for a moment, and at the field while it is. */
  const configure = async (code: string): Promise<string | undefined> => {
    try {
      const answer = await save.run({
        params: { userId },
        // The code is only asked for once the secret is shown.
        body: { Enable: true, Secret: secret!, Code: code },
      })
      if (!answer.Success) {
        const message = answer.ErrorMessage ?? words('account.totpFailed')
        toast.error(message)
        return message
      }
      setSecret(undefined)
      await showCodes()
      return undefined
    } catch (error) {
      tell(error)
      return failure(error)
    }
  }

  if (settings.error) {
    return <PageMessage kind="error" text={settings.error.message} onRetry={() => void settings.refetch()} />
  }
  if (!settings.data) return null
  const { Enabled, UserName } = settings.data
  if (secret) {
    return (
      <Configuration
        secret={secret}
        userName={UserName}
        isSaving={save.isRunning}
        onSave={configure}
        onCancel={() => setSecret(undefined)}
      />
    )
  }
  return (
    <div className={classes.summary}>
      <p className={classes.state} data-on={Enabled || undefined}>
        {Enabled ? (
          <IconShieldCheck size={20} stroke={1.75} aria-hidden />
        ) : (
          <IconShieldOff size={20} stroke={1.75} aria-hidden />
        )}
        {Enabled ? words('account.enabled') : words('account.noAuthenticator')}
      </p>
      {Enabled && (
        <RecoveryCodes codes={codes} isRunning={makeCodes.isRunning} onRenew={() => void showCodes()} />
      )}
      <div className={classes.buttons}>
        {Enabled ? (
          <Button variant="default" onClick={() => setDisabling(true)}>
            {words('account.disableAuthenticator')}
          </Button>
        ) : (
          <Button onClick={() => void enable()} loading={newSecret.isRunning}>
            {words('account.enableAuthenticator')}
          </Button>
        )}
        {onClose && <LeaveButton onClick={onClose}>{words('account.close')}</LeaveButton>}
      </div>
      {isDisabling && <DisableDialog onDisable={disable} onClose={() => setDisabling(false)} />}
    </div>
  )
}

interface Proof {
  Password?: string
  Code?: string
}

/** Asks again who it is: an open session alone does not disable the authenticator. */
function DisableDialog(props: {
  onDisable: (proof: Proof) => Promise<string | undefined>
  onClose: () => void
}) {
  const words = useWords()
  const [typed, setTyped] = useState('')
  const [failure, setFailure] = useState<string>()
  const [isRunning, setRunning] = useState(false)
  const disable = async () => {
    setRunning(true)
    // Six digits are a code: no password is that short.
    const isCode = /^\d{6}$/.test(typed.replace(/\s/g, ''))
    try {
      setFailure(await props.onDisable(isCode ? { Code: typed.replace(/\s/g, '') } : { Password: typed }))
    } catch (error) {
      setFailure((error as Error).message)
    } finally {
      setRunning(false)
    }
  }
  return (
    <Dialog
      opened
      onClose={props.onClose}
      title={words('account.disableAuthenticator')}
      width={440}
      actions={
        <>
          <LeaveButton onClick={props.onClose} />
          <Button type="submit" form="disable-authenticator" color="red" loading={isRunning}>
            {words('account.disableAuthenticator')}
          </Button>
        </>
      }
    >
      <form
        id="disable-authenticator"
        noValidate
        className={classes.question}
        onSubmit={(event) => {
          event.preventDefault()
          if (typed.trim()) void disable()
          else setFailure(words('account.proofMissing'))
        }}
      >
        <p>{words('account.disableQuestion')}</p>
        <PasswordInput
          label={words('account.proof')}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="current-password"
          error={failure}
          data-autofocus
        />
      </form>
    </Dialog>
  )
}

function Configuration(props: {
  secret: string
  userName: string
  isSaving: boolean
  onSave: (code: string) => Promise<string | undefined>
  onCancel: () => void
}) {
  const words = useWords()
  const { secret } = props
  const [code, setCode] = useState('')
  const [failure, setFailure] = useState<string>()
  const save = async () => {
    if (code.length < 6) setFailure(words('account.codeMissing'))
    else setFailure(await props.onSave(code))
  }
  const copy = async () => {
    if (await copyText(secret)) toast.done(words('account.secretCopied'))
    else toast.error(words('account.copyFailed'))
  }
  return (
    <form
      className={classes.configuration}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <p className={classes.step}>{words('account.scan')}</p>
      <div className={classes.picture}>
        <QRCodeSVG
          value={totpAddress(props.userName, secret)}
          level="L"
          size={256}
          marginSize={0}
          title={words('account.qrCode')}
        />
      </div>
      <p className={classes.step}>
        <a href={totpAddress(props.userName, secret)}>{words('account.openInApp')}</a>
      </p>
      <p className={classes.step}>{words('account.orType')}</p>
      <button
        type="button"
        className={classes.secret}
        onClick={() => void copy()}
        title={words('account.copy')}
      >
        <code>{secret}</code>
        <IconCopy size={16} stroke={1.75} aria-hidden />
        <span className="p-sr-only">{words('account.copy')}</span>
      </button>
      <TextInput
        label={words('account.sixDigits')}
        description={words('account.sixDigitsHint')}
        value={code}
        onChange={(event) => {
          setFailure(undefined)
          setCode(event.currentTarget.value.replace(/\D/g, '').slice(0, 6))
        }}
        error={failure}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
        data-autofocus
        // The class is in the style sheet beside this.
        classNames={{ input: classes.code! }}
      />
      <div className={classes.buttons}>
        <Button type="submit" loading={props.isSaving}>
          {words('account.save')}
        </Button>
        <Button variant="default" onClick={props.onCancel}>
          {words('ui.cancel')}
        </Button>
      </div>
    </form>
  )
}

/** How many codes are left; right after making them the codes themselves, for the only time. */
function RecoveryCodes(props: { codes: string[] | undefined; isRunning: boolean; onRenew: () => void }) {
  const words = useWords()
  const { codes } = props
  const left = useRead(getRecoveryCodes).data?.Left
  const renew = async () => {
    const isSure =
      left === 0 ||
      (await confirm({ text: words('account.renewQuestion'), verb: words('account.renewCodes') }))
    if (isSure) props.onRenew()
  }
  const copy = async (list: string[]) => {
    if (await copyText(list.join('\n'))) toast.done(words('account.codesCopied'))
    else toast.error(words('account.copyFailed'))
  }
  const download = (list: string[]) => {
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([`${list.join('\n')}\n`], { type: 'text/plain' }))
    link.download = 'practicum-recovery-codes.txt'
    link.click()
    URL.revokeObjectURL(link.href)
  }
  return (
    <section className={classes.recovery} aria-label={words('account.recoveryCodes')}>
      <h2>{words('account.recoveryCodes')}</h2>
      {codes ? (
        <>
          <p>{words('account.recoveryOnce')}</p>
          <ul className={classes.codes}>
            {codes.map((code) => (
              <li key={code}>
                <code>{code}</code>
              </li>
            ))}
          </ul>
          <div className={classes.buttons}>
            <Button
              variant="default"
              leftSection={<IconCopy size={16} stroke={1.75} aria-hidden />}
              onClick={() => void copy(codes)}
            >
              {words('account.copyCodes')}
            </Button>
            <Button
              variant="default"
              leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
              onClick={() => download(codes)}
            >
              {words('account.downloadCodes')}
            </Button>
          </div>
        </>
      ) : (
        <>
          <p>
            {left !== undefined && words('account.codesLeft', { left, count: recoveryCodeCount })}{' '}
            {words('account.recoveryPurpose')}
          </p>
          <div className={classes.buttons}>
            <Button variant="default" onClick={() => void renew()} loading={props.isRunning}>
              {words('account.renewCodes')}
            </Button>
          </div>
        </>
      )}
    </section>
  )
}
