import { IconCheck, IconUnlink } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { listPendingShifts, type TimeShift } from '#contract/time/time-records.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { CreditNote } from '#web/shared/CreditNote.tsx'
import { Button } from '#web/ui/buttons.ts'
import { formatHours } from '#web/ui/dates.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { useWords } from '#web/words/use-words.ts'
import { byShift } from './by-shift.ts'
import { Decisions } from './Decisions.tsx'
import { Reasons } from './Reasons.tsx'
import { ShiftDialog } from './ShiftDialog.tsx'
import { isShiftReady, keyOf, shiftName, shiftSpan } from './shift-words.ts'
import classes from './site-approvals.module.css'
import { useDeciding } from './use-deciding.tsx'

/** A time change that waits is of both halves: it is told once. */
const isAsked = ({ Reasons }: TimeShift['Records'][number]): boolean =>
  Reasons.some(({ Code }) => Code === 'change_asked')

const pageSize = 100

/**
 * What waits at a supervisor's sites, by shift and for the thumb, those to look at first. One press approves the clean ones; once
 * anything is ticked, what is ticked and nothing else.
 */
export function SiteApprovalsPage() {
  const words = useWords()
  const programId = useProgramId()
  const [at, setAt] = useAddress({ page: 1 })
  const [ticks, setTicks] = useState<ReadonlySet<number>>(new Set())
  const [openKey, setOpenKey] = useState<number>()
  const shifts = useRead(listPendingShifts, { params: { programId }, query: { page: at.page, pageSize } })
  const deciding = useDeciding(() => {
    setTicks(new Set())
    setOpenKey(undefined)
  }, byShift)
  const items = shifts.data?.Items ?? []
  const totals = shifts.data?.Totals
  const isTicked = (shift: TimeShift) => isShiftReady(shift) && ticks.has(keyOf(shift))
  const turn = (keys: readonly number[], isOn: boolean) =>
    setTicks(
      (before) => new Set([...[...before].filter((key) => !keys.includes(key)), ...(isOn ? keys : [])]),
    )
  const ticked = items.filter(isTicked)
  const clean = items.filter(({ Insight }) => Insight === 1)
  const chosen = ticked.length > 0 ? ticked : clean
  const minutes = chosen.reduce((sum, shift) => sum + shift.Minutes, 0)
  const figures = { count: chosen.length, hours: formatHours(minutes, true) }
  const open = items.find((shift) => keyOf(shift) === openKey)
  const sites = new Set(items.flatMap(({ Records }) => Records[0]?.Location ?? []))
  const part = (title: string, list: readonly TimeShift[], all?: ReactNode) =>
    list.length > 0 && (
      <section aria-label={title}>
        <div className={classes.part}>
          <h2>{title}</h2>
          {all}
        </div>
        <ul className={classes.list}>
          {list.map((shift) => (
            <ShiftRow
              key={keyOf(shift)}
              shift={shift}
              withSite={sites.size > 1}
              isTicked={isTicked(shift)}
              onTick={() => turn([keyOf(shift)], !isTicked(shift))}
              onOpen={() => setOpenKey(keyOf(shift))}
            />
          ))}
        </ul>
      </section>
    )
  return (
    <div className={classes.screen}>
      <title>{`${words('time.siteApprovalsTitle')} · Practicum`}</title>
      <h1 className={classes.title}>
        {totals ? words('time.shiftsToApprove', { count: totals.Shifts }) : words('time.siteApprovalsTitle')}
      </h1>
      {totals && totals.Shifts > 0 && (
        <p className={classes.quiet}>
          {[
            sites.size === 1 && [...sites][0],
            words('time.shiftsLine', {
              hours: formatHours(totals.Minutes, true),
              clean: totals.Clean,
              look: totals.Shifts - totals.Clean,
            }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      )}
      <Decisions deciding={deciding} />
      {shifts.error ? (
        <PageMessage kind="error" text={shifts.error.message} onRetry={() => void shifts.refetch()} />
      ) : shifts.data && items.length === 0 ? (
        <PageMessage kind="empty" text={words('time.siteApprovalsEmpty')} />
      ) : (
        <>
          {part(
            words('time.lookFirst'),
            items.filter(({ Insight }) => Insight !== 1),
          )}
          {part(
            words('time.cleanShifts'),
            clean,
            <label className={classes.all}>
              <input
                type="checkbox"
                className="p-tick"
                checked={clean.every(isTicked)}
                onChange={(event) => turn(clean.map(keyOf), event.currentTarget.checked)}
              />
              {words('time.tickAllClean')}
            </label>,
          )}
        </>
      )}
      <Pager
        page={at.page}
        pageSize={pageSize}
        total={shifts.data?.Total ?? 0}
        onPage={(page) => {
          setTicks(new Set())
          setAt({ page })
        }}
      />
      {items.length > 0 && (
        <div className={classes.foot}>
          {chosen.length === 0 ? (
            <p className={classes.quiet}>{words('time.noneTicked')}</p>
          ) : (
            <Button
              size="xl"
              fullWidth
              loading={deciding.isRunning}
              leftSection={<IconCheck size={20} stroke={2} aria-hidden />}
              onClick={() =>
                void deciding.approveChosen(
                  chosen.flatMap(({ Records }) => Records.filter(({ Status }) => Status === 'pending')),
                )
              }
            >
              {chosen.every(({ Insight }) => Insight === 1)
                ? words('time.approveCleanShifts', figures)
                : words('time.approveShifts', figures)}
            </Button>
          )}
        </div>
      )}
      {open && <ShiftDialog shift={open} deciding={deciding} onClose={() => setOpenKey(undefined)} />}
      {deciding.dialog}
    </div>
  )
}

function ShiftRow(props: {
  shift: TimeShift
  withSite: boolean
  isTicked: boolean
  onTick: () => void
  onOpen: () => void
}) {
  const { shift, withSite, isTicked, onTick, onOpen } = props
  const words = useWords()
  const first = shift.Records[0]!
  const name = shiftName(words, shift)
  return (
    <li className={classes.row} aria-label={name}>
      {isShiftReady(shift) ? (
        <label className={classes.tick}>
          <input
            type="checkbox"
            className="p-tick"
            aria-label={words('time.tickShift', { name })}
            checked={isTicked}
            onChange={onTick}
          />
        </label>
      ) : (
        <span className={classes.tick} title={words('time.cannotTick')}>
          <IconUnlink size={20} stroke={1.75} aria-label={words('time.cannotTick')} role="img" />
        </span>
      )}
      <button type="button" className={classes.body} onClick={onOpen}>
        <span className={classes.head}>
          <b>{first.Student}</b>
          <b>{shift.Minutes > 0 ? formatHours(shift.Minutes, true) : '–'}</b>
        </span>
        <span className={classes.quiet}>{shiftSpan(words, shift)}</span>
        {withSite && first.Location && <span className={classes.quiet}>{first.Location}</span>}
        {shift.Records.map((record) => (
          <CreditNote key={record.Id} record={record} />
        ))}
        {shift.Insight === 'u' && (
          <span>
            <StatusTag status="unmatched" icon={null}>
              {words(first.Type === 'in' ? 'time.noOut' : 'time.noIn')}
            </StatusTag>
          </span>
        )}
        {shift.Records.map((record, index) => {
          const reasons = record.Reasons.filter(
            ({ Code }) => Code !== 'change_asked' || !shift.Records.slice(0, index).some(isAsked),
          )
          return reasons.length > 0 && <Reasons key={record.Id} reasons={reasons} type={record.Type} all />
        })}
      </button>
    </li>
  )
}
