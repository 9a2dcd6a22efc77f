import type { SitePhone } from '#contract/scheduling/site-phone.ts'
import { phoneLink } from '#web/ui/phone-link.ts'
import { useWords } from '#web/words/use-words.ts'

/** Whom to call at a site, by a press: its contact, else the site itself. Nothing where no number is known. */
export function SiteCall(props: {
  contact: SitePhone | null | undefined
  phone: string
  className?: string | undefined
}) {
  const words = useWords()
  const { Name, Role, Phone: number } = props.contact ?? { Phone: props.phone }
  const phone = [Name, Role, number].filter(Boolean).join(', ')
  return (
    number && (
      <a href={phoneLink(number)} className={props.className}>
        {words('time.call', { phone })}
      </a>
    )
  )
}
