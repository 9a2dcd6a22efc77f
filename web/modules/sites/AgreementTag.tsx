import type { AgreementState } from '#contract/sites/sites-rules.ts'
import { formatDate } from '#web/ui/dates.ts'
import { StatusIcon, StatusTag } from '#web/ui/StatusTag.tsx'
import type { Words } from '#web/words/plain-words.ts'
import classes from './sites.module.css'

/** The agreement in words: until when, since when not, or none. */
export const agreementText = (
  {
    AgreementState: state,
    AgreementEnd: end,
  }: { AgreementState: AgreementState; AgreementEnd: string | null },
  words: Words,
): string => {
  if (state === 'none') return words('sites.none')
  if (end === null) return words('sites.noEnd')
  const date = formatDate(end)
  if (state === 'expired') return words('sites.expired', { date })
  return words(state === 'in-force' ? 'sites.to' : 'sites.ends', { date })
}

/** The state of an agreement as lists show it: a tag where it wants attention, plain words otherwise. */
export function AgreementTag(props: {
  agreement: { AgreementState: AgreementState; AgreementEnd: string | null }
  words: Words
}) {
  const { agreement, words } = props
  const text = agreementText(agreement, words)
  switch (agreement.AgreementState) {
    case 'none':
      return <span className={classes.quiet}>{text}</span>
    case 'in-force':
      return (
        <span className={classes.state}>
          <StatusIcon status="approved" size={16} />
          {text}
        </span>
      )
    case 'urgent':
      return <StatusTag status="review">{text}</StatusTag>
    case 'ending':
      return <StatusTag status="pending">{text}</StatusTag>
    case 'expired':
      return <StatusTag status="rejected">{text}</StatusTag>
  }
}
