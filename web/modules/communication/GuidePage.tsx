import { Level } from '#contract/core/levels.ts'
import { useUser } from '#web/api/use-state.ts'
import { Page } from '#web/ui/Page.tsx'
import { Section } from '#web/ui/Section.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './communication.module.css'

/** Written out: names that are put together would bring all texts of the domain. */
const chapters = {
  staff: [
    { title: 'communication.staff1Title', text: 'communication.staff1' },
    { title: 'communication.staff2Title', text: 'communication.staff2' },
    { title: 'communication.staff3Title', text: 'communication.staff3' },
    { title: 'communication.staff4Title', text: 'communication.staff4' },
  ],
  student: [
    { title: 'communication.student1Title', text: 'communication.student1' },
    { title: 'communication.student2Title', text: 'communication.student2' },
    { title: 'communication.student3Title', text: 'communication.student3' },
  ],
  supervisor: [{ title: 'communication.supervisor1Title', text: 'communication.supervisor1' }],
} as const

/** The user guide, a page for each kind of person. */
export function GuidePage() {
  const words = useWords()
  const { AccessLevel } = useUser()
  const kind =
    AccessLevel >= Level.Faculty ? 'staff' : AccessLevel >= Level.Supervisor ? 'supervisor' : 'student'
  return (
    <Page title={words('communication.guide')} intro={words('communication.guideIntro')} inset>
      {chapters[kind].map(({ title, text }) => (
        <Section key={title} title={words(title)}>
          <p className={classes.chapter}>{words(text)}</p>
        </Section>
      ))}
    </Page>
  )
}
