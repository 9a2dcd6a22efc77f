import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import {
  decideProof,
  getProof,
  listWaitingProofs,
  type ReviewedProof,
  reopenProof,
  type WaitingProof,
} from '#contract/requirements/proof-review.ts'
import { CallError, call } from '#web/api/call.ts'
import { readNote, writeNote } from '#web/api/device.ts'
import { useLiveEvent } from '#web/api/live.ts'
import { useAddress } from '#web/api/use-address.ts'
import { queryClient, readKey, useRead } from '#web/api/use-call.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { RequirementState } from '#web/shared/RequirementState.tsx'
import { PageLink } from '#web/shell/PageLink.tsx'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { Button } from '#web/ui/buttons.ts'
import { dateOfInstant, formatDate } from '#web/ui/dates.ts'
import { TextField } from '#web/ui/form/TextField.tsx'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { toast } from '#web/ui/toast.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { type DraftEvent, EventFields, fitting, isEndMeant, problemsOf } from './EventFields.tsx'
import { ProofViewer } from './ProofViewer.tsx'
import classes from './review.module.css'
import { ruleText } from './rule-words.ts'

const minuteMs = 60_000

const ageText = (words: Words, sentAt: string): string => {
  const minutes = Math.max(0, Math.round((Date.now() - Date.parse(sentAt)) / minuteMs))
  if (minutes < 60) return words('requirements.minutes', { count: minutes })
  if (minutes < 24 * 60) return words('requirements.hours', { count: Math.round(minutes / 60) })
  const days = Math.round(minutes / 1_440)
  return days === 1 ? words('requirements.yesterday') : words('requirements.days', { count: days })
}

const hasFocus = (): boolean => Boolean(document.activeElement?.closest('[data-review]'))

interface Done {
  studentId: number
  proofId: number
  revision: number
  name: string
}

const reasons = ['reasonReadable', 'reasonName', 'reasonOnline', 'reasonOld', 'reasonDate'] as const

/** Proofs that wait, one after the other: the proof large, what it says beside it, and one key to decide. */
export function ReviewPage() {
  const words = useWords()
  const programId = useProgramId()
  const may = useMay()
  const [more, setMore] = useState<WaitingProof[]>([])
  const queue = useRead(listWaitingProofs, { params: { programId }, query: {} })
  useLiveEvent('requirements', () => void queue.refetch(), 2_000)
  const [decided, setDecided] = useState<ReadonlySet<number>>(new Set())
  const [linked] = useAddress({ proof: null as number | null })
  const [chosen, setChosen] = useState(linked.proof ?? undefined)
  const [last, setLast] = useState<Done>()
  const [hasLetters, setLetters] = useState(() => readNote('letters') === null)
  const all = [...(queue.data?.Items ?? []), ...more]
  const items = all.filter(
    ({ Id }, index) => !decided.has(Id) && all.findIndex((each) => each.Id === Id) === index,
  )
  const at = Math.max(
    0,
    items.findIndex(({ Id }) => Id === chosen),
  )
  const current = items[at]
  const nextAfter = more.length === 0 ? queue.data?.NextAfter : null

  /** The row that is looked at takes the focus that the one before it had. */
  const follows = useRef(false)
  const list = useRef<HTMLUListElement>(null)
  const currentId = current?.Id
  useEffect(() => {
    if (!follows.current || currentId === undefined) return
    follows.current = false
    list.current?.querySelector<HTMLElement>('[aria-current]')?.focus()
  }, [currentId])
  const move = useCallback(
    (by: number) => {
      follows.current = true
      setChosen(items[Math.min(items.length - 1, Math.max(0, at + by))]?.Id)
    },
    [items, at],
  )
  /** On phones the proof is above the form. */
  const box = useRef<HTMLDivElement>(null)
  const show = useCallback((id: number | undefined) => {
    setChosen(id)
    box.current?.scrollTo({ top: 0 })
  }, [])
  const takeBack = useCallback(
    async ({ studentId, proofId, revision }: Done) => {
      follows.current = hasFocus()
      try {
        await call(reopenProof, { params: { programId, studentId, proofId }, body: { Revision: revision } })
        // It has another revision by now.
        queryClient.removeQueries({ queryKey: readKey(getProof) })
        setLast(undefined)
        setDecided((before) => new Set([...before].filter((id) => id !== proofId)))
        show(proofId)
        await queue.refetch()
        toast.done(words('requirements.takenBack'))
      } catch (error) {
        toast.error((error as Error).message)
      }
    },
    [programId, queue, words, show],
  )

  const passOn = (done: Done, decision: 'accept' | 'return') => {
    follows.current = hasFocus()
    show(items[at + 1]?.Id ?? items[at - 1]?.Id)
    setDecided((before) => new Set(before).add(done.proofId))
    setLast(done)
    toast.done({
      title: words(decision === 'accept' ? 'requirements.didAccept' : 'requirements.didReturn', {
        name: done.name,
      }),
      undo: () => void takeBack(done),
    })
  }
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (isTyping(event)) return
      if (event.key === 'ArrowDown') move(1)
      else if (event.key === 'ArrowUp') move(-1)
      else if (hasLetters && last && isReviewing(event) && event.key.toLowerCase() === 'z')
        void takeBack(last)
      else return
      event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [move, takeBack, last, hasLetters])

  if (queue.error && !queue.data) return <ReadProblem read={queue} />
  const total = Math.max(items.length, (queue.data?.Total ?? 0) - decided.size)
  return (
    <Page
      title={words('requirements.reviewTitle')}
      count={
        queue.data &&
        [
          words('requirements.waitCount', { count: total }),
          ...(queue.data.OldestAt && total > 0
            ? [words('requirements.oldest', { when: ageText(words, queue.data.OldestAt) })]
            : []),
        ].join(' · ')
      }
      actions={
        <Button variant="default" component={PageLink} href="/new/admin/requirements">
          {words('requirements.byStudent')}
        </Button>
      }
    >
      {queue.data && items.length === 0 ? (
        <PageMessage
          kind="empty"
          icon={<IconCheck size={24} stroke={1.75} aria-hidden />}
          text={
            decided.size > 0
              ? words('requirements.allDone', { count: decided.size })
              : words('requirements.nothingWaits')
          }
          detail={words('requirements.nothingWaitsDetail')}
          next={
            may('requirements.design') && (
              <Button variant="default" component={PageLink} href="/new/admin/requirements/design">
                {words('requirements.design')}
              </Button>
            )
          }
        />
      ) : (
        <div className={classes.review} ref={box}>
          <nav className={classes.queue} aria-label={words('requirements.queue')} data-review>
            <ul ref={list}>
              {items.map((item) => (
                <li key={item.Id}>
                  <button
                    type="button"
                    aria-current={item.Id === current?.Id ? 'true' : undefined}
                    onClick={() => setChosen(item.Id)}
                  >
                    <b className="p-ellipsis" title={item.Student}>
                      {item.Student}
                    </b>
                    <span className={classes.age}>{ageText(words, item.SentAt)}</span>
                    <span className="p-ellipsis" title={item.Requirement}>
                      {item.Requirement}
                    </span>
                  </button>
                </li>
              ))}
            </ul>
            {nextAfter && (
              <Button
                variant="subtle"
                fullWidth
                onClick={() =>
                  void call(listWaitingProofs, { params: { programId }, query: { After: nextAfter } }).then(
                    ({ Items }) => setMore(Items),
                  )
                }
              >
                {words('requirements.loadMore')}
              </Button>
            )}
          </nav>
          {current && (
            <Review
              key={current.Id}
              item={current}
              next={items[at + 1]}
              hasLetters={hasLetters}
              onLetters={(isOn) => {
                writeNote('letters', isOn ? undefined : 'off')
                setLetters(isOn)
              }}
              onDone={passOn}
              onGone={() => setDecided((before) => new Set(before).add(current.Id))}
            />
          )}
        </div>
      )}
    </Page>
  )
}

/** Letters decide only about what has the focus, the queue or the proof: who types and is not in a field has meant nothing by it. */
const isReviewing = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element && target.closest('[data-review]') !== null

const isTyping = ({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  ctrlKey ||
  metaKey ||
  altKey ||
  (target instanceof HTMLElement &&
    (target.isContentEditable ||
      (target instanceof HTMLInputElement && !['button', 'checkbox', 'radio'].includes(target.type)) ||
      target instanceof HTMLTextAreaElement ||
      target.closest('[role="combobox"],[role="listbox"],[role="dialog"]') !== null))

interface Shortcuts {
  /** Whether single letters decide. Who speaks to the computer, or types by mistake, turns them off for this browser. */
  hasLetters: boolean
  onLetters: (isOn: boolean) => void
}

function Review(
  props: {
    item: WaitingProof
    next: WaitingProof | undefined
    onDone: (done: Done, decision: 'accept' | 'return') => void
    onGone: () => void
  } & Shortcuts,
) {
  const { item, next } = props
  const programId = useProgramId()
  const at = (each: WaitingProof) => ({
    params: { programId, studentId: each.StudentId, proofId: each.Id },
  })
  const read = useRead(getProof, at(item), { keepsLast: false, staleMs: 60_000 })
  // The next one is read while this one is looked at.
  useRead(getProof, next ? at(next) : at(item), { keepsLast: false, staleMs: 60_000 })
  if (read.error?.status === 404) {
    props.onGone()
    return null
  }
  if (read.error) return <ReadProblem read={read} />
  return read.data ? (
    <ReviewForm key={read.data.Proof.Revision} {...props} proof={read.data} />
  ) : (
    <div className={classes.paper} />
  )
}

function ReviewForm({
  item,
  proof: reviewed,
  hasLetters,
  onLetters,
  onDone,
}: {
  item: WaitingProof
  proof: ReviewedProof
  onDone: (done: Done, decision: 'accept' | 'return') => void
} & Shortcuts) {
  const words = useWords()
  const programId = useProgramId()
  const { Proof: proof, Requirement: requirement, Standing } = reviewed
  const rule = requirement.Rule
  const [events, setEvents] = useState<DraftEvent[]>(() => fitting(rule, proof.Events))
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isTold, setTold] = useState(false)
  const [isRunning, setRunning] = useState(false)
  const lacking = problemsOf(rule, events)
  const reasonField = useRef<HTMLDivElement>(null)

  const decide = async (decision: 'accept' | 'return') => {
    if (isRunning) return
    setTold(true)
    setProblem(undefined)
    if (decision === 'accept' && Object.keys(lacking).length > 0) return
    if (decision === 'accept' && !(await isEndMeant(words, rule, events))) return
    if (decision === 'return' && reason.trim() === '') {
      setProblem(words('requirements.sayWhy'))
      reasonField.current?.querySelector('input')?.focus()
      return
    }
    setRunning(true)
    try {
      const answer = await call(decideProof, {
        params: { programId, studentId: item.StudentId, proofId: item.Id },
        body: {
          Revision: proof.Revision,
          Decision: decision,
          Reason: reason.trim(),
          // Nothing lacks where it is accepted.
          ...(decision === 'accept' && { Events: events.map((event) => ({ ...event, On: event.On! })) }),
        },
      })
      const name = `${item.Student}: ${item.Requirement}`
      onDone({ studentId: item.StudentId, proofId: item.Id, revision: answer.Proof.Revision, name }, decision)
    } catch (error) {
      setProblem((error as Error).message)
      setRunning(false)
      // Somebody else was faster: what it is now is read again behind the message.
      if (error instanceof CallError && error.status === 409)
        queryClient.removeQueries({ queryKey: readKey(getProof), type: 'inactive' })
    }
  }
  const latest = useRef(decide)
  latest.current = decide
  useEffect(() => {
    if (!hasLetters) return
    const press = (event: KeyboardEvent) => {
      if (isTyping(event) || !isReviewing(event)) return
      const key = event.key.toLowerCase()
      if (key === 'a') void latest.current('accept')
      else if (key === 'r') void latest.current('return')
      else return
      event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [hasLetters])

  const held = reviewed.Earlier.find(({ State }) => State === 'accepted')
  return (
    <>
      <div className={classes.document} data-review tabIndex={-1}>
        <ProofViewer
          proof={proof}
          studentId={item.StudentId}
          name={`${requirement.Name}, ${reviewed.Student}`}
        />
        <p className={classes.keys}>
          {hasLetters && (
            <>
              <kbd>A</kbd> {words('requirements.keyAccept')} <kbd>R</kbd> {words('requirements.keyReturn')}{' '}
              <kbd>Z</kbd> {words('requirements.keyUndo')}{' '}
            </>
          )}
          <kbd>↑</kbd> <kbd>↓</kbd> {words('requirements.keyMove')}
          <button type="button" onClick={() => onLetters(!hasLetters)}>
            {words(hasLetters ? 'requirements.lettersOff' : 'requirements.lettersOn')}
          </button>
        </p>
      </div>
      <section className={classes.fields} aria-label={requirement.Name}>
        <div className={classes.scroll}>
          <div>
            <h2>{requirement.Name}</h2>
            <p className={classes.quiet}>
              {[reviewed.Student, reviewed.StudentLevel, reviewed.Site].filter(Boolean).join(' · ')}
            </p>
          </div>
          {reviewed.Blocks && (
            <p className={classes.caution}>
              <IconAlertTriangle size={17} stroke={1.75} aria-hidden />
              <span>
                {words('requirements.blocksUntil', {
                  name: reviewed.FirstName,
                  site: reviewed.Blocks.Site,
                  date: formatDate(reviewed.Blocks.Date),
                })}
              </span>
            </p>
          )}
          {reviewed.IsOlderRule && (
            <p className={classes.caution}>
              <IconAlertTriangle size={17} stroke={1.75} aria-hidden />
              <span>{words('requirements.olderRule')}</span>
            </p>
          )}
          <EventFields
            rule={rule}
            events={events}
            onChange={setEvents}
            today={dateOfInstant(Date.now())}
            problems={
              isTold
                ? Object.fromEntries(Object.entries(lacking).map(([name, word]) => [name, words(word)]))
                : {}
            }
          />
          <p className={classes.quiet}>
            {words('requirements.rule')}: {ruleText(words, rule)}
          </p>
          {proof.Note && <p className={classes.note}>{proof.Note}</p>}
          <div ref={reasonField} className={classes.reason}>
            <TextField
              label={words('requirements.returnReason', { name: reviewed.FirstName })}
              hint={words('requirements.returnHint')}
              maxLength={300}
              name="Reason"
              value={reason}
              onChange={setReason}
            />
            <div className={classes.reasons}>
              {reasons.map((key) => (
                <button key={key} type="button" onClick={() => setReason(words(`requirements.${key}`))}>
                  {words(`requirements.${key}`)}
                </button>
              ))}
            </div>
          </div>
          {problem && (
            <p role="alert" className={classes.problem}>
              {problem}
            </p>
          )}
          {held && (
            <p className={classes.held}>
              <RequirementState
                state={
                  Standing.ExpiresOn !== null && Standing.ExpiresOn < dateOfInstant(Date.now())
                    ? 'expired'
                    : 'accepted'
                }
                until={Standing.ExpiresOn}
              />
              <span className={classes.quiet}>{words('requirements.heldNow')}</span>
            </p>
          )}
        </div>
        <div className={classes.verbs}>
          <Button variant="outline" color="red" size="lg" onClick={() => void decide('return')}>
            {words('requirements.giveBack')}
          </Button>
          <Button
            size="lg"
            leftSection={<IconCheck size={18} stroke={2} aria-hidden />}
            loading={isRunning}
            onClick={() => void decide('accept')}
          >
            {words('requirements.accept')}
          </Button>
        </div>
      </section>
    </>
  )
}
