import { getMemberHome } from '#contract/reports/member-homes.ts'
import { useRead } from '#web/api/use-call.ts'
import { useMay } from '#web/api/use-state.ts'
import { ContactList } from '#web/shared/ContactList.tsx'
import { PageLink } from '#web/shell/PageLink.tsx'
import { formatDate } from '#web/ui/dates.ts'
import { Html } from '#web/ui/Html.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { Section } from '#web/ui/Section.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './homes.module.css'
import { PaperLine } from './PaperLine.tsx'

/** How the program is reached, what is new to read, and its news. */
export function ProgramAside() {
  const words = useWords()
  const home = useRead(getMemberHome)
  const mayRead = useMay()('documents.read')
  if (home.error)
    return <PageMessage kind="error" text={home.error.message} onRetry={() => void home.refetch()} />
  if (!home.data) return null
  const { Program, College, Contacts, Documents, DocumentCount, News } = home.data
  return (
    <>
      <Section title={words('homes.contacts')}>
        <p className={classes.quiet}>
          {Program} · {College}
        </p>
        <ContactList contacts={Contacts} />
      </Section>
      {mayRead && (
        <Section
          title={words('homes.documents')}
          end={
            DocumentCount > Documents.length && (
              <PageLink href="/new/documents">
                {words('homes.allDocuments', { count: DocumentCount })}
              </PageLink>
            )
          }
        >
          {Documents.length === 0 && <p className={classes.quiet}>{words('homes.noDocuments')}</p>}
          <ul className={classes.papers}>
            {Documents.map((document) => (
              <PaperLine key={document.Id} document={document} href={document.Url} of={document.Category} />
            ))}
          </ul>
        </Section>
      )}
      {News.map((item) => (
        <Section
          key={item.Id}
          title={words('homes.news')}
          as="article"
          end={<span className={classes.role}>{formatDate(item.Date)}</span>}
        >
          <Html html={item.Html} className={classes.news} />
        </Section>
      ))}
    </>
  )
}
