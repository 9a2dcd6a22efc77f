import { Level } from '#contract/core/levels.ts'
import { useUser } from '#web/api/use-state.ts'
import { Page } from '#web/ui/Page.tsx'
import { Section } from '#web/ui/Section.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './communication.module.css'

const chapters = {
  staff: ['staff1', 'staff2', 'staff3', 'staff4'],
  student: ['student1', 'student2', 'student3'],
  supervisor: ['supervisor1'],
} as const

/** The user guide, a page for each kind of person. */
export function GuidePage() {
  const words = useWords()
  const { AccessLevel } = useUser()
  const kind =
    AccessLevel >= Level.Faculty ? 'staff' : AccessLevel >= Level.Supervisor ? 'supervisor' : 'student'
  return (
    <Page title={words('communication.guide')} intro={words('communication.guideIntro')} inset>
      {chapters[kind].map((chapter) => (
        <Section key={chapter} title={words(`communication.${chapter}Title`)}>
          <p className={classes.chapter}>{words(`communication.${chapter}`)}</p>
        </Section>
      ))}
    </Page>
  )
}
