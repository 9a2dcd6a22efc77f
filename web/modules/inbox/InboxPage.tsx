import { IconCircleCheck, IconLock } from '@tabler/icons-react'
import { type ComponentType, type ReactNode, useCallback, useMemo, useState } from 'react'
import { type InboxProgram, openInbox, renewInbox } from '#contract/inbox/inbox.ts'
import type { LinkState } from '#contract/links/links.ts'
import { ActingContext } from '#web/api/acting.ts'
import { call } from '#web/api/call.ts'
import { KnownState } from '#web/api/KnownState.tsx'
import { useParams } from '#web/api/place.ts'
import { pageAddress } from '#web/api/root.ts'
import { useRead } from '#web/api/use-call.ts'
import { InboxCard, type InboxLoad, type InboxPartProps } from '#web/shared/InboxCard.tsx'
import { isLinkOver, LinkFailure } from '#web/shared/LinkFailure.tsx'
import { LinkGate } from '#web/shared/LinkGate.tsx'
import { Logo } from '#web/shell/Logo.tsx'
import { Avatar } from '#web/ui/Avatar.tsx'
import { attempt } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { dateOfInstant, formatDate } from '#web/ui/dates.ts'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './inbox.module.css'

/** A part of the inbox: one kind of thing of one program. */
export type InboxPart = ComponentType<InboxPartProps>

/** Everything that waits for a supervisor in all programs that know their address, behind a link and a mailed code. */
export function InboxPage({ parts }: { parts: readonly InboxPart[] }) {
  const { token = '' } = useParams()
  const words = useWords()
  return (
    <LinkGate token={token} kind="inbox" title={words('inbox.title')} whenOver={<Renew token={token} />}>
      {(link) => <Opened token={token} link={link} parts={parts} />}
    </LinkGate>
  )
}

/** A link that has run out is replaced by a new one in the same mailbox. */
function Renew({ token }: { token: string }) {
  const words = useWords()
  const [isSent, setSent] = useState(false)
  return isSent ? (
    <p role="status">{words('inbox.renewed')}</p>
  ) : (
    <Button
      variant="default"
      size="md"
      onClick={() =>
        void attempt(async () => {
          await call(renewInbox, { params: { token } })
          setSent(true)
        })
      }
    >
      {words('inbox.renew')}
    </Button>
  )
}

function Opened(props: { token: string; link: LinkState; parts: readonly InboxPart[] }) {
  const { token, link, parts } = props
  const words = useWords()
  const inbox = useRead(openInbox, { params: { token } }, { refetchEveryMs: 60_000 })
  const [loads, setLoads] = useState<ReadonlyMap<string, InboxLoad>>(new Map())
  const [task, setTask] = useState<{ program: InboxProgram; node: ReactNode }>()
  const tell = useCallback(
    (key: string, load: InboxLoad) => setLoads((before) => new Map(before).set(key, load)),
    [],
  )
  const programs = inbox.data?.Programs ?? []
  const isOver = inbox.error !== null && isLinkOver(inbox.error)
  const served = programs.filter(({ NeedsSignIn }) => !NeedsSignIn)
  const keys = served.flatMap(({ AccountId }) => parts.map((_part, index) => `${AccountId} ${index}`))
  const isKnown = inbox.data !== undefined && keys.every((key) => loads.has(key))
  const waiting = keys.flatMap((key) => loads.get(key) ?? []).filter(({ things }) => things > 0)
  const seconds = waiting.reduce((sum, load) => sum + load.seconds, 0)
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  const name = inbox.data?.Name ?? link.RecipientName
  return (
    <main className={classes.page}>
      <title>{`${words('inbox.title')} · Practicum`}</title>
      <div className={classes.brand}>
        <span>
          <Logo size={28} />
          Practicum
        </span>
        <Avatar name={name} size={36} />
      </div>
      {task && (
        <Acting token={token} program={task.program}>
          {task.node}
        </Acting>
      )}
      <div className={classes.inbox} hidden={task !== undefined}>
        <div>
          <p className={classes.quiet}>
            {words('inbox.byLink', { name, date: formatDate(dateOfInstant(link.ExpiresAt)) })}
          </p>
          <h1 aria-live="polite">
            {!isKnown
              ? words('inbox.title')
              : waiting.length === 0
                ? words('inbox.done')
                : words('inbox.heading', {
                    count: waiting.reduce((sum, { things }) => sum + things, 0),
                    time: words('inbox.minutes', { count: minutes }),
                  })}
          </h1>
        </div>
        {inbox.error && <LinkFailure error={inbox.error} onRetry={() => void inbox.refetch()} />}
        {!inbox.error && isKnown && waiting.length === 0 && (
          <PageMessage
            kind="empty"
            icon={<IconCircleCheck size={32} stroke={1.5} aria-hidden />}
            text={words('inbox.doneText')}
            detail={words('inbox.doneDetail')}
          />
        )}
        {!isOver &&
          programs.map((program) =>
            program.NeedsSignIn ? (
              <SignIn key={program.AccountId} program={program} />
            ) : (
              <Acting key={program.AccountId} token={token} program={program}>
                {parts.map((Part, index) => (
                  <Loaded
                    // biome-ignore lint/suspicious/noArrayIndexKey: the parts are the same as long as the page is open
                    key={index}
                    part={Part}
                    name={`${program.AccountId} ${index}`}
                    place={`${program.Program}, ${program.College}`}
                    tell={tell}
                    onTask={(node) => setTask(node ? { program, node } : undefined)}
                  />
                ))}
              </Acting>
            ),
          )}
        <p className={classes.foot}>
          <IconLock size={16} stroke={1.75} aria-hidden />
          <span>
            {words('inbox.only')} <a href={pageAddress('login')}>{words('inbox.signIn')}</a>
          </span>
        </p>
      </div>
    </main>
  )
}

/** What is inside calls as the address's account in the program. */
function Acting(props: { token: string; program: InboxProgram; children: ReactNode }) {
  const { token, children } = props
  const { AccountId: account, ProgramId: programId, TimeZone: timeZone } = props.program
  const acting = useMemo(
    () => ({ token, account, programId, timeZone }),
    [token, account, programId, timeZone],
  )
  return (
    <ActingContext value={acting}>
      <KnownState isSignedIn={false}>{children}</KnownState>
    </ActingContext>
  )
}

function Loaded(props: {
  part: InboxPart
  name: string
  place: string
  tell: (name: string, load: InboxLoad) => void
  onTask: (task: ReactNode) => void
}) {
  const { part: Part, name, place, tell, onTask } = props
  const onLoad = useCallback((load: InboxLoad) => tell(name, load), [tell, name])
  return <Part place={place} onLoad={onLoad} onTask={onTask} />
}

function SignIn({ program: { Program, College } }: { program: InboxProgram }) {
  const words = useWords()
  return (
    <InboxCard
      title={`${Program}, ${College}`}
      detail={words('inbox.needsSignIn')}
      action={
        <Button component="a" href={pageAddress('login')} variant="default" size="md">
          {words('inbox.signIn')}
        </Button>
      }
    >
      {null}
    </InboxCard>
  )
}
