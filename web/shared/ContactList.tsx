import { IconMail, IconPhone } from '@tabler/icons-react'
import { Level } from '#contract/core/levels.ts'
import type { ProgramContact } from '#contract/reports/member-homes.ts'
import { phoneLink } from '#web/ui/phone-link.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './ContactList.module.css'

/** Whom to call or write to at the college. */
export function ContactList({ contacts }: { contacts: readonly ProgramContact[] }) {
  const words = useWords()
  return (
    <>
      {contacts.length === 0 && <p className="p-muted">{words('homes.noContacts')}</p>}
      <ul className={classes.list}>
        {contacts.map((contact) => (
          <li key={contact.Id}>
            <div className={classes.who}>
              <b>{contact.Name}</b>
              <span>
                {words(contact.AccessLevel === Level.Coord ? 'homes.coordinator' : 'homes.director')}
              </span>
              {contact.PhoneNumber && <span>{contact.PhoneNumber}</span>}
            </div>
            {contact.PhoneNumber && (
              <a
                href={phoneLink(contact.PhoneNumber)}
                className={classes.reach}
                aria-label={words('homes.call', { name: contact.Name })}
                title={words('homes.call', { name: contact.Name })}
              >
                <IconPhone size={20} stroke={1.75} aria-hidden />
              </a>
            )}
            {contact.EmailAddress && (
              <a
                href={`mailto:${contact.EmailAddress}`}
                className={classes.reach}
                aria-label={words('homes.email', { name: contact.Name })}
                title={words('homes.email', { name: contact.Name })}
              >
                <IconMail size={20} stroke={1.75} aria-hidden />
              </a>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
