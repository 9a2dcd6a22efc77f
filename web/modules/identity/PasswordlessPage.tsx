import '#web/ui/base-styles.ts'
import { IconInfoCircle, IconLock } from '@tabler/icons-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import {
  exchangeMagicCode,
  type LoginAccount,
  listMagicLinkUsers,
  loginByMagicLink,
  requestMagicLink,
} from '#contract/identity/passwordless.ts'
import { CallError, call, forgetToken } from '#web/api/call.ts'
import { pageAddress } from '#web/api/root.ts'
import { toldBy } from '#web/api/told.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useWords } from '#web/words/use-words.ts'
import { AskAuthenticator, Back, ChooseAccount, Entering } from './account-steps.tsx'
import { CodeField } from './CodeField.tsx'
import { Entrance } from './Entrance.tsx'
import entrance from './identity.module.css'
import { PlainField } from './PlainField.tsx'
import classes from './passwordless.module.css'

type Stage =
  | { name: 'request'; isExpired?: boolean; failure?: string }
  | { name: 'code'; email: string; publicGuid: string; failure?: string }
  | { name: 'choose'; guid: string; accounts: LoginAccount[] }
  | { name: 'authenticator'; guid: string; account: LoginAccount; failure?: string }
  | { name: 'entering' }

/** Sign in by a mailed link or code: request, code, choice of account, and the way in. */
export function PasswordlessPage() {
  const words = useWords()
  const [{ id, redirectTo }, setAddress] = useAddress({ id: '', redirectTo: '' })
  const [stage, setStage] = useState<Stage>(id ? { name: 'entering' } : { name: 'request' })
  const [email, setEmail] = useState('')

  const restart = (stage: Omit<Extract<Stage, { name: 'request' }>, 'name'> = {}) => {
    setAddress({ id: '' })
    setStage({ name: 'request', ...stage })
  }

  const enter = async (guid: string, account: LoginAccount, code?: string) => {
    setStage({ name: 'entering' })
    try {
      const address = await call(loginByMagicLink, {
        query: { ...(redirectTo && { redirectTo }) },
        body: { UserId: account.UserId, Guid: guid, ...(code && { Code: code }) },
      })
      forgetToken()
      location.assign(address)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      if (error.body.TotpRequired) {
        setStage({ name: 'authenticator', guid, account, ...(code && { failure: error.message }) })
      } else restart({ failure: words('account.loginFailed') })
    }
  }

  const openLink = async (guid: string) => {
    setStage({ name: 'entering' })
    try {
      const accounts = await call(listMagicLinkUsers, { params: { guid } })
      if (accounts.length === 1) await enter(guid, accounts[0]!)
      else setStage({ name: 'choose', guid, accounts })
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      restart({ isExpired: true })
    }
  }

  const opened = useRef('')
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link is opened once, when the page comes with it
  useEffect(() => {
    if (!id || opened.current === id) return
    opened.current = id
    void openLink(id)
  }, [id])

  const request = async (address: string) => {
    try {
      const { Email, PublicGuid } = await call(requestMagicLink, { body: { Email: address } })
      setStage({ name: 'code', email: Email, publicGuid: PublicGuid })
    } catch (error) {
      const isAnswered = error instanceof CallError && error.status > 0
      restart({
        failure: isAnswered
          ? toldBy(error) || words('account.linkError')
          : words('account.linkErrorFallback'),
      })
    }
  }

  const exchange = async (publicGuid: string, code: string) => {
    try {
      const { Guid } = await call(exchangeMagicCode, { query: { 'public-key': publicGuid, code } })
      await openLink(Guid)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      const failure = error.status === 429 ? error.message : words('account.codeFailed')
      setStage((now) => (now.name === 'code' ? { ...now, failure } : now))
    }
  }

  switch (stage.name) {
    case 'request':
      return <Request stage={stage} email={email} onEmail={setEmail} onSend={() => request(email)} />
    case 'code':
      return (
        <EnterCode
          key={stage.publicGuid}
          stage={stage}
          onBack={() => restart()}
          onCode={(code) => exchange(stage.publicGuid, code)}
          onAgain={() => request(stage.email)}
        />
      )
    case 'choose':
      return (
        <ChooseAccount
          accounts={stage.accounts}
          intro={words('account.accountsOfAddress', { count: stage.accounts.length })}
          onChoose={(account) => void enter(stage.guid, account)}
        />
      )
    case 'authenticator':
      return (
        <AskAuthenticator
          account={stage.account}
          failure={stage.failure}
          onBack={() => restart()}
          onCode={(code) => enter(stage.guid, stage.account, code)}
        />
      )
    case 'entering':
      return <Entering />
  }
}

function Request(props: {
  stage: Extract<Stage, { name: 'request' }>
  email: string
  onEmail: (email: string) => void
  onSend: () => Promise<void>
}) {
  const words = useWords()
  const { stage } = props
  const [isRunning, setRunning] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isRunning) return
    setRunning(true)
    await props.onSend()
    setRunning(false)
  }
  return (
    <Entrance title={words('account.signInByMail')} intro={words('account.signInByMailIntro')}>
      <form onSubmit={submit} noValidate className={entrance.form}>
        {stage.isExpired && <Caution text={words('account.linkExpired')} />}
        {stage.failure && (
          <div role="alert" className={entrance.failure}>
            {stage.failure}
          </div>
        )}
        <PlainField
          label={words('account.email')}
          name="email"
          type="email"
          autoComplete="email"
          inputMode="email"
          autoFocus
          value={props.email}
          onChange={props.onEmail}
        />
        <button type="submit" className={entrance.main} aria-disabled={isRunning}>
          {words('identity.mailLink')}
        </button>
      </form>
      <a href={pageAddress('login')}>{words('account.withPassword')}</a>
    </Entrance>
  )
}

function EnterCode(props: {
  stage: Extract<Stage, { name: 'code' }>
  onBack: () => void
  onCode: (code: string) => Promise<void>
  onAgain: () => Promise<void>
}) {
  const words = useWords()
  const { stage } = props
  const [code, setCode] = useState('')
  const [isShort, setShort] = useState(false)
  const [isRunning, setRunning] = useState(false)
  const run = async (work: () => Promise<void>) => {
    if (isRunning) return
    setRunning(true)
    await work()
    setRunning(false)
  }
  return (
    <Entrance title={words('account.mailbox')} above={<Back onBack={props.onBack} />}>
      <p role="status" className={entrance.intro}>
        {words('account.linkSent')}
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          setShort(code.length < 6)
          if (code.length === 6) void run(() => props.onCode(code))
        }}
        noValidate
        className={entrance.form}
      >
        <PlainField
          label={words('account.email')}
          value={stage.email}
          onChange={() => undefined}
          readOnly
          icon={<IconLock size={17} stroke={1.75} aria-hidden />}
        />
        <CodeField label={words('account.sixDigits')} value={code} onChange={setCode} />
        {isShort && code.length < 6 && <Caution text={words('account.codeMissing')} />}
        {stage.failure && !isShort && <Caution text={stage.failure} detail={words('account.newestOnly')} />}
        <button type="submit" className={entrance.main} aria-disabled={isRunning}>
          {words('account.logMeIn')}
        </button>
      </form>
      <p className={classes.again}>
        {words('account.nothingThere')}{' '}
        <button type="button" onClick={() => void run(props.onAgain)}>
          {words('account.sendAgain')}
        </button>
      </p>
    </Entrance>
  )
}

function Caution({ text, detail }: { text: string; detail?: string }) {
  return (
    <div role="alert" className={classes.caution}>
      <IconInfoCircle size={18} stroke={2} aria-hidden />
      <div>
        <div className={classes.exact}>{text}</div>
        {detail && <div>{detail}</div>}
      </div>
    </div>
  )
}
