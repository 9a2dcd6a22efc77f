import { IconAlertTriangle, IconInfoCircle, IconMail } from '@tabler/icons-react'
import type { PageAddress } from '#contract/core/pages.ts'
import type { Problem } from '#contract/placement/plans.ts'
import { useMay } from '#web/api/use-state.ts'
import { useWriteTo } from '#web/shared/use-write-to.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { Button } from '#web/ui/buttons.ts'
import { formatDate } from '#web/ui/dates.ts'
import { useWords } from '#web/words/use-words.ts'
import { linesOf } from './cause-lines.ts'
import classes from './causes.module.css'
import { fixAddress, fixPermission } from './fix-address.ts'

/** So many names are on the line itself. */
const namedOnLine = 3

export type CauseListProps = {
  causes: readonly Problem[]
  planId: number
  startDate: string
  /** By their ids. */
  students: ReadonlyMap<number, string>
  sites: ReadonlyMap<number, string>
}

/** What is wrong, one line a cause: whom it concerns when asked, and the button that ends it. */
export function CauseList({ causes, planId, startDate, students, sites }: CauseListProps) {
  const words = useWords()
  return (
    <ul className={classes.causes}>
      {linesOf(causes, words).map(({ cause, parts }) => (
        <li key={cause.Text} data-kind={cause.Kind}>
          {cause.Kind === 'stops' ? (
            <IconAlertTriangle size={17} aria-label={words('placement.stopsTitle')} role="img" />
          ) : (
            <IconInfoCircle size={17} aria-label={words('placement.warnsTitle')} role="img" />
          )}
          <div>
            <span>{cause.Text}</span>
            {parts.length > 0 && (
              <Names
                label={words('placement.showRequirements', { count: parts.length })}
                names={parts.map(({ Text }) => Text)}
              />
            )}
            {cause.StudentIds.length > 1 && (
              <Names
                label={words('placement.showStudents', { count: cause.StudentIds.length })}
                names={cause.StudentIds.flatMap((id) => students.get(id) ?? [])}
              />
            )}
            {cause.SiteIds.length > namedOnLine && (
              <Names
                label={words('placement.showSites', { count: cause.SiteIds.length })}
                names={cause.SiteIds.flatMap((id) => sites.get(id) ?? [])}
              />
            )}
          </div>
          <Fix cause={cause} planId={planId} startDate={startDate} students={students} />
        </li>
      ))}
    </ul>
  )
}

/** All names, on demand. */
function Names({ label, names }: { label: string; names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <details>
      <summary>{label}</summary>
      <ul>
        {names.map((name, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two people may have one name
          <li key={`${name} ${index}`}>{name}</li>
        ))}
      </ul>
    </details>
  )
}

type FixProps = Pick<CauseListProps, 'planId' | 'startDate' | 'students'> & { cause: Problem }

/** What ends a cause: an email to all whom it concerns, or the page where it is changed. */
function Fix({ cause, planId, startDate, students }: FixProps) {
  const { Fix: Kind, StudentId, SiteId, StudentIds, SiteIds, Lacks } = cause
  const words = useWords()
  const may = useMay()
  const writeTo = useWriteTo()
  if (Kind === null) return null
  if (Kind === 'requirements' && StudentIds.length > 1 && may('mail.send'))
    return (
      <Button
        variant="default"
        leftSection={<IconMail size={16} aria-hidden />}
        onClick={() =>
          writeTo(
            StudentIds.flatMap((id) => {
              const name = students.get(id)
              return name === undefined ? [] : [{ id, name }]
            }),
            {
              subject: words('placement.lacksSubject'),
              text: words('placement.lacksText', {
                lacks: Lacks ?? words('placement.lacksSomething'),
                date: formatDate(startDate),
              }),
            },
          )
        }
      >
        {words('placement.writeTo', { count: StudentIds.length })}
      </Button>
    )
  const address = may(fixPermission[Kind]) ? fixAddress({ Kind, SiteId, StudentId }, planId) : undefined
  if (!address) return null
  const href =
    Kind === 'agreement' && SiteIds.length > 0
      ? (`${address}?sites=${SiteIds.join()}` as PageAddress)
      : address
  return (
    <Button variant="default" component={PageLink} href={href}>
      {Kind === 'agreement'
        ? words('placement.renew', { count: Math.max(1, SiteIds.length) })
        : words(`placement.fix_${Kind}`)}
    </Button>
  )
}
