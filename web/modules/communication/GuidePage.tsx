import { Level } from '#contract/core/levels.ts'
import type { Permission } from '#contract/core/permissions.ts'
import { useMay, useUser } from '#web/api/use-state.ts'
import { Page } from '#web/ui/Page.tsx'
import { Section } from '#web/ui/Section.tsx'
import type { WordKey } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './communication.module.css'

interface Chapter {
  /** For whoever may, or for whoever may not. */
  may?: Permission
  unless?: Permission
  title: WordKey
  text: WordKey
}

/** Written out: names that are put together would bring all texts of the domain. */
const chapters = {
  staff: [
    { title: 'communication.staff1Title', text: 'communication.staff1' },
    { may: 'time.approve', title: 'communication.staff2Title', text: 'communication.staff2' },
    { unless: 'time.approve', title: 'communication.reader2Title', text: 'communication.reader2' },
    { may: 'scheduling.plan', title: 'communication.staff3Title', text: 'communication.staff3' },
    { unless: 'scheduling.plan', title: 'communication.reader3Title', text: 'communication.reader3' },
    { may: 'imports.run', title: 'communication.staff4Title', text: 'communication.staff4' },
    { unless: 'imports.run', title: 'communication.staff4Title', text: 'communication.reader4' },
  ],
  student: [
    { title: 'communication.student1Title', text: 'communication.student1' },
    { title: 'communication.student2Title', text: 'communication.student2' },
    { title: 'communication.student3Title', text: 'communication.student3' },
  ],
  supervisor: [{ title: 'communication.supervisor1Title', text: 'communication.supervisor1' }],
} as const satisfies Record<string, readonly Chapter[]>

/** The user guide, a page for each kind of person. */
export function GuidePage() {
  const words = useWords()
  const { AccessLevel } = useUser()
  const may = useMay()
  const kind =
    AccessLevel >= Level.Faculty ? 'staff' : AccessLevel >= Level.Supervisor ? 'supervisor' : 'student'
  return (
    <Page title={words('communication.guide')} intro={words('communication.guideIntro')} inset>
      {(chapters[kind] as readonly Chapter[])
        .filter((each) => (!each.may || may(each.may)) && !(each.unless && may(each.unless)))
        .map(({ title, text }) => (
          <Section key={title} title={words(title)}>
            <p className={classes.chapter}>{words(text)}</p>
          </Section>
        ))}
    </Page>
  )
}
