import { IconLock, IconPlus, IconSearch } from '@tabler/icons-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { maxLines, patients } from '#contract/competencies/log-rules.ts'
import {
  getLogContext,
  getOwnStanding,
  type LogContext,
  type Standing,
} from '#contract/competencies/procedure-logs.ts'
import type { CallError } from '#web/api/call.ts'
import { readDraft, writeDraft } from '#web/api/drafts.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { randomUuid } from '#web/api/random-uuid.ts'
import { useRead } from '#web/api/use-call.ts'
import { useAppState, useUser } from '#web/api/use-state.ts'
import { usePhoneTask } from '#web/shell/phone-task.ts'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { Button } from '#web/ui/buttons.ts'
import { confirm } from '#web/ui/confirm.ts'
import { formatDate } from '#web/ui/dates.ts'
import { OwnScreen } from '#web/ui/OwnScreen.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useIsPhone } from '#web/ui/use-is-phone.ts'
import { useWords } from '#web/words/use-words.ts'
import { LineCard } from './LineCard.tsx'
import { LineDialog } from './LineDialog.tsx'
import {
  type DraftLine,
  draftOf,
  findProcedures,
  levelNames,
  levelsOf,
  nothingUsual,
  suggestionsOf,
  type Usual,
  withUsual,
} from './log-drafts.ts'
import { sendLines } from './log-sending.ts'
import { participationName } from './log-words.ts'
import { type Place, PlaceDialog } from './PlaceDialog.tsx'
import classes from './procedure-log.module.css'
import { RadioChips } from './RadioChips.tsx'

/** What was chosen and not submitted; it outlasts the page. */
interface LogDraft {
  date: string
  lines: readonly DraftLine[]
  place: Place | undefined
}
const draftName = 'procedures'
const usualName = 'procedures-usual'

const mostFound = 12
/** Once something is chosen, the lines come first. */
const mostBesideLines = 5

/** The student's log after a shift: recent and owed procedures, one line each, sent together. */
export function LogPage() {
  const { Id: account } = useUser()
  const [begun, setBegun] = useState<{ draft: LogDraft | undefined; usual: Usual }>()
  useEffect(() => {
    let isLeft = false
    void Promise.all([readDraft<LogDraft>(account, draftName), readDraft<Usual>(account, usualName)]).then(
      ([draft, usual = nothingUsual]) => {
        if (!isLeft) setBegun({ draft, usual })
      },
    )
    return () => {
      isLeft = true
    }
  }, [account])
  return begun && <BegunLog {...begun} />
}

function BegunLog({ draft, usual }: { draft: LogDraft | undefined; usual: Usual }) {
  const words = useWords()
  const [date, setDate] = useState(draft?.date)
  const context = useRead(getLogContext, { query: date ? { Date: date } : {} })
  const standing = useRead(getOwnStanding)
  const failed = [context, standing].find(({ error, data }) => error && !data)
  if (failed) return <ReadProblem read={failed} />
  if (!context.data || !standing.data) return <title>{`${words('procedureLog.log')} · Practicum`}</title>
  if (!standing.data.List) return <PageMessage kind="empty" text={words('procedureLog.noList')} />
  return (
    <LogForm
      context={context.data}
      standing={standing.data}
      date={date ?? context.data.Date}
      draft={draft}
      begunUsual={usual}
      onDate={setDate}
    />
  )
}

/** What the student has chosen for a day, or else where they are then and whom the last entry there named. */
const placeOf = ({ SiteId, SupervisorId }: LogContext, chosen: Place | undefined): Place =>
  chosen ?? { siteId: SiteId, supervisorId: SupervisorId }

function LogForm(props: {
  context: LogContext
  standing: Standing
  date: string
  draft: LogDraft | undefined
  begunUsual: Usual
  onDate: (date: string) => void
}) {
  const { context, standing, date, draft } = props
  const words = useWords()
  const navigate = usePageNavigate()
  const isPhone = useIsPhone()
  const { Id: account } = useUser()
  const program = useAppState().data?.ProgramId ?? null
  const [lines, setLines] = useState<readonly DraftLine[]>(
    // A list may have changed since: what it no longer has is not logged.
    () =>
      draft?.lines.filter(({ ProcedureId }) => standing.Procedures.some(({ Id }) => Id === ProcedureId)) ??
      [],
  )
  const [text, setText] = useState('')
  const [usual, setUsual] = useState(props.begunUsual)
  const [chosen, setChosen] = useState(draft?.place)
  const [isPlacing, setPlacing] = useState(false)
  const [openKey, setOpenKey] = useState<string>()
  const [isSending, setSending] = useState(false)
  const [refusal, setRefusal] = useState<{ key: string | undefined; message: string }>()
  const [added, setAdded] = useState('')
  const suggestions = useRef<HTMLUListElement>(null)
  const pressedAt = useRef(-1)
  useLayoutEffect(() => {
    // The button that was pressed is gone: the keyboard goes on with the one in its place.
    const buttons = suggestions.current?.querySelectorAll('button')
    if (pressedAt.current >= 0) buttons?.[Math.min(pressedAt.current, buttons.length - 1)]?.focus()
    pressedAt.current = -1
  })
  const isSent = useRef(false)
  useEffect(() => {
    if (isSent.current) return
    const begun: LogDraft | undefined = lines.length > 0 ? { date, lines, place: chosen } : undefined
    void writeDraft(account, draftName, begun)
  }, [account, date, lines, chosen])
  const forget = () => {
    isSent.current = true
    return writeDraft(account, draftName, undefined)
  }
  const place = placeOf(context, chosen)
  const site = context.Sites.find(({ SiteId }) => SiteId === place.siteId)
  const supervisor = site?.Supervisors.find(({ Id }) => Id === place.supervisorId)
  const total = lines.reduce((sum, { Count }) => sum + Count, 0)
  const procedureOf = (id: number) => standing.Procedures.find(({ Id }) => Id === id)
  const change = (next: DraftLine) => {
    setRefusal(undefined)
    setLines((before) => before.map((line) => (line.Key === next.Key ? next : line)))
  }
  const add = (id: number) => {
    const procedure = procedureOf(id)
    if (!procedure || lines.length >= maxLines) return
    setText('')
    setAdded(words('procedureLog.added', { name: procedure.Name, count: lines.length + 1 }))
    setLines((before) => [...before, draftOf(standing, procedure, randomUuid(), usual)])
  }
  const chooseUsual = (part: Partial<Usual>) => {
    const next = { ...usual, ...part }
    setUsual(next)
    setRefusal(undefined)
    setLines((before) => before.map((line) => withUsual(standing, line, next)))
    void writeDraft(account, usualName, next)
  }
  const remove = (key: string) => setLines((before) => before.filter((line) => line.Key !== key))
  const leave = async () => {
    const mayLeave =
      lines.length === 0 ||
      (await confirm({
        title: words('procedureLog.leaveTitle'),
        text: words('procedureLog.leaveText'),
        verb: words('procedureLog.leave'),
        cancel: words('procedureLog.stay'),
      }))
    if (!mayLeave) return
    await forget()
    navigate('/competencies')
  }
  const submit = async () => {
    const nameOf = ({ ProcedureId }: DraftLine) => procedureOf(ProcedureId)?.Name ?? ''
    const refuse = (line: DraftLine, word: 'procedureLog.chooseLevel' | 'procedureLog.choosePatient') =>
      setRefusal({ key: line.Key, message: words(word, { name: nameOf(line) }) })
    const without = lines.find(({ ProcedureId, LevelId }) => {
      const procedure = procedureOf(ProcedureId)
      return LevelId === null && procedure && levelsOf(standing, procedure).length > 0
    })
    if (without) return refuse(without, 'procedureLog.chooseLevel')
    const whole = lines.flatMap(({ Patient, ...line }) => (Patient === null ? [] : { ...line, Patient }))
    const unsaid = lines.find(({ Patient }) => Patient === null)
    if (unsaid) return refuse(unsaid, 'procedureLog.choosePatient')
    setSending(true)
    setRefusal(undefined)
    try {
      const isSaved = await sendLines(
        { account, program },
        { Date: date, SiteId: place.siteId, SupervisorId: place.supervisorId, Lines: whole },
      )
      await forget()
      // It is kept from the last log on.
      void writeDraft(account, usualName, usual)
      toast.done(words(isSaved ? 'procedureLog.saved' : 'procedureLog.kept', { count: total }))
      navigate('/competencies')
    } catch (error) {
      const [, index] = /^Lines\.(\d+)\./.exec((error as CallError).Errors?.[0]?.Field ?? '') ?? []
      setRefusal({
        key: index === undefined ? undefined : lines[Number(index)]?.Key,
        message: (error as CallError).message,
      })
    } finally {
      setSending(false)
    }
  }
  const latest = useRef(submit)
  latest.current = submit
  const when = date === context.Today ? words('procedureLog.today') : formatDate(date)
  const where = [
    when,
    site?.Name ?? words('procedureLog.noSite'),
    context.Shift && context.Shift.SiteId === place.siteId ? undefined : words('procedureLog.noShift'),
    supervisor?.Name ?? words('procedureLog.noSupervisor'),
  ]
    .filter(Boolean)
    .join(' · ')
  const foot = (
    <Button
      size="xl"
      fullWidth
      data-once
      loading={isSending}
      disabled={lines.length === 0}
      onClick={() => void latest.current()}
    >
      {lines.length === 0
        ? words('procedureLog.chooseFirst')
        : words('procedureLog.submit', { count: total })}
    </Button>
  )
  usePhoneTask(
    { title: words('procedureLog.log'), detail: where, onBack: () => void leave(), foot },
    `${where} ${total} ${lines.length} ${isSending}`,
  )
  const levels = levelNames(standing)
  const open = lines.find(({ Key }) => Key === openKey)
  const openProcedure = open && procedureOf(open.ProcedureId)
  const found = text.trim() === '' ? undefined : findProcedures(standing, text).slice(0, mostFound)
  const suggested = suggestionsOf(standing, lines).slice(0, lines.length > 0 ? mostBesideLines : undefined)
  // What is found comes first; what is suggested stays below it while one types.
  const offered = [
    ...(found ?? []).map((procedure) => ({ procedure, owed: 0 })),
    ...suggested.filter(({ procedure }) => !found?.includes(procedure)),
  ]
  return (
    <OwnScreen title={words('procedureLog.log')} isHeadingHidden={isPhone}>
      <p className={classes.where}>
        <span>{isPhone ? (supervisor?.Name ?? words('procedureLog.noSupervisor')) : where}</span>
        <button type="button" className={classes.link} onClick={() => setPlacing(true)}>
          {words('procedureLog.whereTitle')}
        </button>
      </p>
      <section className={classes.usual} aria-label={words('procedureLog.usual')}>
        <p className={classes.quiet}>{words('procedureLog.usualHint')}</p>
        {levels.length > 0 && (
          <RadioChips
            isSmall
            label={words('procedureLog.usualLevel')}
            name="usual-level"
            options={levels.map((name) => ({ value: name, label: participationName(words, name) }))}
            value={usual.level}
            onChange={(level) => chooseUsual({ level })}
          />
        )}
        <RadioChips
          isSmall
          label={words('procedureLog.usualPatient')}
          name="usual-patient"
          options={patients.map((value) => ({ value, label: words(`procedureLog.${value}`) }))}
          value={usual.patient}
          onChange={(patient) => chooseUsual({ patient })}
        />
      </section>
      <label className={classes.find}>
        <IconSearch size={18} stroke={2} aria-hidden />
        <input
          type="search"
          placeholder={words('procedureLog.find')}
          aria-label={words('procedureLog.find')}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <ul ref={suggestions} className={classes.suggestions} aria-label={words('procedureLog.suggestions')}>
        {offered.map(({ procedure, owed }, index) => (
          <li key={procedure.Id}>
            <button
              type="button"
              data-owed={owed > 0 || undefined}
              onClick={() => {
                pressedAt.current = index
                add(procedure.Id)
              }}
            >
              <IconPlus size={15} stroke={2} aria-hidden />
              {procedure.Name}
              {owed > 0 && <small>{words('procedureLog.owed', { count: owed })}</small>}
            </button>
          </li>
        ))}
      </ul>
      <p role="status" className="p-sr-only">
        {added}
      </p>
      {(found ?? offered).length === 0 && <p className={classes.quiet}>{words('procedureLog.noMatch')}</p>}
      {lines.length > 0 && (
        <ul className={classes.card}>
          {lines.map((line) => {
            const procedure = procedureOf(line.ProcedureId)
            return (
              procedure && (
                <LineCard
                  key={line.Key}
                  standing={standing}
                  procedure={procedure}
                  line={line}
                  lines={lines}
                  problem={refusal?.key === line.Key ? refusal.message : undefined}
                  onChange={change}
                  onRemove={() => remove(line.Key)}
                  onDetails={() => setOpenKey(line.Key)}
                />
              )
            )
          })}
        </ul>
      )}
      {refusal && refusal.key === undefined && (
        <p role="alert" className={classes.problem}>
          {refusal.message}
        </p>
      )}
      <p className={classes.never}>
        <IconLock size={15} stroke={1.75} aria-hidden />
        {words('procedureLog.patientNote')}
      </p>
      {!isPhone && <div className={classes.foot}>{foot}</div>}
      {isPlacing && (
        <PlaceDialog
          context={context}
          date={date}
          place={place}
          onDate={(next) => {
            setChosen(undefined)
            props.onDate(next)
          }}
          onPlace={setChosen}
          onClose={() => setPlacing(false)}
        />
      )}
      {open && openProcedure && (
        <LineDialog
          title={openProcedure.Name}
          standing={standing}
          procedure={openProcedure}
          context={context}
          line={open}
          doneLabel={words('procedureLog.done')}
          more={
            <Button
              variant="default"
              size="lg"
              onClick={() => {
                remove(open.Key)
                setOpenKey(undefined)
              }}
            >
              {words('procedureLog.remove')}
            </Button>
          }
          onDone={(line) => {
            change(line)
            setOpenKey(undefined)
          }}
          onClose={() => setOpenKey(undefined)}
        >
          <Button
            variant="default"
            onClick={() => {
              add(open.ProcedureId)
              setOpenKey(undefined)
            }}
          >
            {words('procedureLog.another')}
          </Button>
        </LineDialog>
      )}
    </OwnScreen>
  )
}
