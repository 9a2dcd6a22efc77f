import type { SitePhone } from '#contract/sites/site-phone.ts'
import { useWords } from '#web/words/use-words.ts'

/** Whom to call at a site, by a press: its contact, else the site itself. Nothing where no number is known. */
export function SiteCall({
  contact,
  phone,
  className,
}: {
  contact: SitePhone | null | undefined
  phone: string
  className?: string | undefined
}) {
  const words = useWords()
  const number = contact?.Phone || phone
  if (!number) return null
  return (
    <a href={`tel:${number.replace(/[^+\d]/g, '')}`} className={className}>
      {contact
        ? words('time.callPerson', {
            name: [contact.Name, contact.Role].filter(Boolean).join(', '),
            phone: number,
          })
        : words('time.call', { phone: number })}
    </a>
  )
}
