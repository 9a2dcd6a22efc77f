import { IconLock } from '@tabler/icons-react'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import {
  getLink,
  type LinkKind,
  type LinkState,
  linkOpeningMinutes,
  mailLinkCode,
  openLink,
} from '#contract/links/links.ts'
import { CallError, call } from '#web/api/call.ts'
import { useRead } from '#web/api/use-call.ts'
import { Logo } from '#web/shell/Logo.tsx'
import { Button } from '#web/ui/buttons.ts'
import { dateOfInstant, formatDate } from '#web/ui/dates.ts'
import { TextInput } from '#web/ui/inputs.ts'
import { useWords } from '#web/words/use-words.ts'
import { isLinkOver, LinkFailure } from './LinkFailure.tsx'
import classes from './LinkGate.module.css'

/** Before an opening is over, so that nobody notices that it was opened again. */
const openAgainMs = (linkOpeningMinutes - 10) * 60_000

/**
 * What is behind a scoped link: shown once this device has opened it, by a mailed code the first time. It is opened by POST only, so
 * that scanners of mail open nothing. Calls behind it need no more than the token; the device's secret is a cookie.
 */
export function LinkGate({
  token,
  kind,
  title,
  whenOver,
  children,
}: {
  token: string
  kind: LinkKind
  /** What the link opens, in the title of the page until it is open. */
  title: string
  /** What can be done about a link that no longer works. */
  whenOver?: ReactNode
  children: (link: LinkState) => ReactNode
}) {
  const words = useWords()
  const link = useRead(getLink, { params: { token } }, { staleMs: Number.POSITIVE_INFINITY })
  const [opened, setOpened] = useState<LinkState>()
  const [failed, setFailed] = useState<CallError>()
  const [round, setRound] = useState(0)

  const isKnown = link.data?.IsKnownDevice ?? false
  const isOpened = opened !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round opens it again
  useEffect(() => {
    if (!isKnown && !isOpened) return
    const open = () =>
      call(openLink, { params: { token }, body: {} }).then(setOpened, (error: unknown) => {
        // What is open stays so while the server cannot be asked.
        if (error instanceof CallError && (!isOpened || isLinkOver(error))) setFailed(error)
      })
    if (!isOpened) void open()
    const timer = setInterval(open, openAgainMs)
    return () => clearInterval(timer)
  }, [isKnown, isOpened, token, round])

  const failure = failed ?? link.error ?? undefined
  const isOther = link.data !== undefined && link.data.Kind !== kind
  const retry = () => {
    setFailed(undefined)
    setRound(round + 1)
    if (link.error) void link.refetch()
  }
  if (opened && !failed) return children(opened)
  return (
    <main className={classes.gate}>
      <title>{`${title} · Practicum`}</title>
      <div className={classes.card}>
        <div className={classes.brand}>
          <Logo size={28} />
          Practicum
        </div>
        {failure || isOther ? (
          <>
            <h1 className="p-sr-only">{title}</h1>
            <LinkFailure
              error={failure ?? { status: 404, message: words('links.other') }}
              next={whenOver}
              onRetry={retry}
            />
          </>
        ) : (
          link.data && (
            <>
              <div>
                <h1>{title}</h1>
                {kind !== 'inbox' && (
                  <p className={classes.from}>{[link.data.Program, link.data.College].join(' · ')}</p>
                )}
                <p className={classes.from}>{words('links.for', { name: link.data.RecipientName })}</p>
              </div>
              {!isKnown && <AskCode token={token} link={link.data} onOpened={setOpened} />}
              <p className={classes.foot}>
                <IconLock size={16} stroke={1.75} aria-hidden />
                <span>
                  {words('links.own')}{' '}
                  {words('links.until', { date: formatDate(dateOfInstant(link.data.ExpiresAt)) })}
                </span>
              </p>
            </>
          )
        )}
      </div>
    </main>
  )
}

function AskCode(props: { token: string; link: LinkState; onOpened: (link: LinkState) => void }) {
  const words = useWords()
  const { token, link } = props
  const params = { token }
  // The short form of an address stays on one line.
  const email = link.RecipientEmail.replace('…', '…\u2060')
  const [key, setKey] = useState<string>()
  const [code, setCode] = useState('')
  const [failure, setFailure] = useState<string>()
  const [isRunning, setRunning] = useState(false)

  const run = async (work: () => Promise<void>) => {
    if (isRunning) return
    setRunning(true)
    setFailure(undefined)
    try {
      await work()
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setFailure(error.message)
    } finally {
      setRunning(false)
    }
  }
  const mail = () =>
    run(async () => {
      const { Key } = await call(mailLinkCode, { params })
      setCode('')
      setKey(Key)
    })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (key === undefined) return void mail()
    if (code.length < 6) return setFailure(words('links.codeShort'))
    void run(async () => props.onOpened(await call(openLink, { params, body: { Key: key, Code: code } })))
  }
  return (
    <form onSubmit={submit} noValidate className={classes.form}>
      {key === undefined ? (
        <>
          <p>{words('links.why', { email })}</p>
          {failure && <p role="alert">{failure}</p>}
          <Button type="submit" size="md" loading={isRunning}>
            {words('links.mail')}
          </Button>
        </>
      ) : (
        <>
          <p role="status">{words('links.mailed', { email })}</p>
          <TextInput
            label={words('links.code')}
            size="md"
            inputMode="numeric"
            autoComplete="one-time-code"
            data-autofocus
            autoFocus
            value={code}
            error={failure}
            onChange={(event) => setCode(event.currentTarget.value.replace(/\D/g, '').slice(0, 6))}
          />
          <Button type="submit" size="md" loading={isRunning}>
            {words('links.open')}
          </Button>
          <Button variant="subtle" size="md" onClick={mail} disabled={isRunning}>
            {words('links.another')}
          </Button>
        </>
      )}
    </form>
  )
}
