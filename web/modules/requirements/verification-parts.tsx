import { IconAlertTriangle, IconCheck, IconClock, IconEye, IconX } from '@tabler/icons-react'
import type {
  VerificationRow,
  VerificationState,
  VerificationTotals,
} from '#contract/requirements/verifications.ts'
import { formatDate } from '#web/ui/dates.ts'
import { type Status, StatusTag } from '#web/ui/StatusTag.tsx'
import type { WordKey, Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './requirements.module.css'

const looks: Record<VerificationState, { status: Status; word: WordKey; Icon: typeof IconCheck }> = {
  complete: { status: 'approved', word: 'verifications.complete', Icon: IconCheck },
  waived: { status: 'approved', word: 'verifications.waived', Icon: IconCheck },
  expiring: { status: 'review', word: 'verifications.expiring', Icon: IconClock },
  expired: { status: 'rejected', word: 'verifications.expired', Icon: IconX },
  missing: { status: 'rejected', word: 'verifications.missing', Icon: IconX },
  pending: { status: 'pending', word: 'verifications.pending', Icon: IconClock },
  failed: { status: 'careful', word: 'verifications.failed', Icon: IconAlertTriangle },
}

export const stateWord = (state: VerificationState, words: Words): string => words(looks[state].word)

export function StateTag({ state }: { state: VerificationState }) {
  const words = useWords()
  const { status, Icon } = looks[state]
  return (
    <StatusTag status={status} icon={<Icon size={14} stroke={2} aria-hidden />}>
      {stateWord(state, words)}
    </StatusTag>
  )
}

/** The day of expiry as text, with how far it is once it is near: "01/12/2027 · in 5 days". */
export const expiryText = ({ Expires, Days, State }: VerificationRow, words: Words): string => {
  const isNear = State === 'expiring' && Days !== null
  const near =
    Days === 0 ? words('verifications.expiresToday') : words('verifications.expiresIn', { count: Days ?? 0 })
  return isNear ? `${formatDate(Expires)} · ${near}` : formatDate(Expires)
}

/** The day of expiry with its mark. */
export function Expiry({ row }: { row: VerificationRow }) {
  const words = useWords()
  const text = expiryText(row, words)
  if (row.State === 'expired')
    return (
      <StatusTag status="rejected" icon={<IconX size={14} stroke={2} aria-hidden />}>
        {text}
      </StatusTag>
    )
  if (row.State !== 'expiring') return text
  const isSoon = (row.Days ?? 0) <= 7
  const Icon = isSoon ? IconAlertTriangle : IconEye
  return (
    <StatusTag status={isSoon ? 'careful' : 'review'} icon={<Icon size={14} stroke={2} aria-hidden />}>
      {text}
    </StatusTag>
  )
}

export const totalFigures = (totals: VerificationTotals) =>
  [
    ['complete', 'verifications.complete', totals.Complete, 'approved'],
    ['missing', 'verifications.missing', totals.Missing, 'rejected'],
    ['open', 'verifications.open', totals.Open, 'pending'],
    ['expired', 'verifications.expired', totals.Expired, 'rejected'],
    ['within60', 'verifications.within60', totals.Within60, 'review'],
    ['within30', 'verifications.within30', totals.Within30, 'review'],
    ['within7', 'verifications.within7', totals.Within7, 'careful'],
  ] as const satisfies readonly (readonly [string, WordKey, number, Status])[]

/** What the page owes its readers before they rely on it. */
export function Disclaimer({ isOwn }: { isOwn?: boolean }) {
  const words = useWords()
  return (
    <div className={classes.disclaimer} data-own={isOwn || undefined} role="note">
      <p>{words('verifications.disclaimer')}</p>
      <p>{words(isOwn ? 'verifications.ownNotRequirements' : 'verifications.notRequirements')}</p>
    </div>
  )
}

export const titleOf = (type: 1 | 2, words: Words): string =>
  words(type === 1 ? 'verifications.backgroundTitle' : 'verifications.immunizationTitle')
