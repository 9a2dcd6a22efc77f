import { lazy, type ReactNode, Suspense } from 'react'
import { Level } from '#contract/core/levels.ts'
import { PageRedirect } from '#web/api/navigate.ts'
import { useMay, useUser } from '#web/api/use-state.ts'
import { Announcements } from '#web/shell/Announcements.tsx'
import { Page } from '#web/ui/Page.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './homes.module.css'
import { SupervisorInbox } from './SupervisorInbox.tsx'

const ProgramAside = lazy(() => import('./ProgramAside.tsx').then((m) => ({ default: m.ProgramAside })))
const SiteHome = lazy(() => import('./SiteHome.tsx').then((m) => ({ default: m.SiteHome })))
const EmployeeHome = lazy(() => import('./EmployeeHome.tsx').then((m) => ({ default: m.EmployeeHome })))
const AlumnusHome = lazy(() => import('./AlumnusHome.tsx').then((m) => ({ default: m.AlumnusHome })))

/** What is below the greeting, by level; announcements alone for those without more. */
const parts: Partial<Record<number, ReactNode>> = {
  [Level.SiteEmployee]: <SiteHome />,
  [Level.GenericEmployee]: <EmployeeHome />,
  [Level.Alumnus]: <AlumnusHome />,
}

/** The index page sends everybody to the screen the day starts with: the clock, the inbox, or the staff's home. */
export function IndexPage() {
  const words = useWords()
  const { AccessLevel, Name } = useUser()
  const mayReach = useMay()('member-home.read')
  if (AccessLevel === Level.Student) return <PageRedirect to="/clock" />
  if (AccessLevel >= Level.Faculty) return <PageRedirect to="/admin/home" />
  if (AccessLevel === Level.Supervisor || AccessLevel === Level.CCUnderHood) return <SupervisorInbox />
  return (
    <Page
      title={words('shell.greeting', { name: Name.split(' ')[0] ?? Name })}
      {...(AccessLevel === Level.Registrant && { intro: words('shell.registrantWaits') })}
      greeting
      {...(mayReach && {
        aside: (
          <Suspense>
            <ProgramAside />
          </Suspense>
        ),
      })}
      inset
    >
      <Announcements />
      <Suspense>
        <div className={classes.parts}>{parts[AccessLevel]}</div>
      </Suspense>
    </Page>
  )
}
