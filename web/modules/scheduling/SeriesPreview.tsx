import { IconChevronDown, IconCircleCheck } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { listedName } from '#contract/people/person-fields.ts'
import { dayText } from '#contract/scheduling/scheduling-rules.ts'
import type { SeriesAnswer, SeriesFinding } from '#contract/scheduling/series.ts'
import type { SiteShift } from '#contract/scheduling/site-shifts.ts'
import { FixRule } from '#web/shared/FixRule.tsx'
import { Menu } from '#web/ui/base.ts'
import { Button } from '#web/ui/buttons.ts'
import { FloatingMenu } from '#web/ui/FloatingMenu.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './series.module.css'

export type SeriesPreviewProps = {
  answer: SeriesAnswer
  students: readonly { Id: number; LastName: string; FirstName: string }[]
  shifts: readonly SiteShift[]
  /** Whether groups change shifts. */
  doesRotate: boolean
  /** The last move is not checked yet. */
  isChecking: boolean
  /** Who was put into another group by hand. */
  moves: ReadonlyMap<number, number>
  onMove: (moves: ReadonlyMap<number, number>) => void
}

/** What a series would do: in figures, by group, and what the rules refuse with whom and why. */
export function SeriesPreview(props: SeriesPreviewProps) {
  const { answer, students, shifts, doesRotate } = props
  const words = useWords()
  const names = new Map(
    students.map(({ Id, LastName, FirstName }) => [Id, listedName({ FirstName, LastName })]),
  )
  const codes = new Map(shifts.map(({ Id, Code, Site }) => [Id, `${Code}, ${Site}`]))
  const conflicts = countOf(answer.Conflicts)
  const warnings = countOf(answer.Warnings)
  const figures = [
    [words('series.figureAdd'), answer.Added, false],
    [words('series.figureConflicts'), conflicts, conflicts > 0],
    ...(warnings > 0 ? [[words('series.figureWarnings'), warnings, false] as const] : []),
    ...(answer.Unchanged > 0 ? [[words('series.figureUnchanged'), answer.Unchanged, false] as const] : []),
    [words('series.figureDates'), answer.Dates.length, false],
    ...(answer.Skipped.length > 0
      ? [[words('series.figureSkipped'), answer.Skipped.length, false] as const]
      : []),
  ] as const
  return (
    <div className={classes.preview}>
      <dl className={classes.figures}>
        {figures.map(([name, count, isBad]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd data-bad={isBad || undefined}>{count.toLocaleString('en-US')}</dd>
          </div>
        ))}
      </dl>
      {answer.Dates.length === 0 && <p className={classes.none}>{words('series.noDates')}</p>}
      {answer.Dates.length > 0 && conflicts === 0 && (
        <p className={classes.good}>
          <IconCircleCheck size={18} stroke={1.75} aria-hidden />
          {words('series.allGood')}
        </p>
      )}
      <Findings title={words('series.conflicts')} findings={answer.Conflicts} />
      <Findings title={words('series.warnings')} findings={answer.Warnings} />
      {answer.Skipped.length > 0 && (
        <section>
          <h2>{words('series.skipped')}</h2>
          <p>{answer.Skipped.map(({ Date: date, Name }) => `${dayText(date)} ${Name}`).join(' · ')}</p>
        </section>
      )}
      <Groups
        {...props}
        nameOf={(id) => names.get(id) ?? ''}
        shiftOf={(id) => codes.get(id) ?? ''}
        lineOf={(id) =>
          words(doesRotate ? 'series.startsAt' : 'series.stays', { shift: codes.get(id) ?? '' })
        }
      />
    </div>
  )
}

type GroupsProps = Pick<SeriesPreviewProps, 'answer' | 'isChecking' | 'moves' | 'onMove'> & {
  nameOf: (studentId: number) => string
  shiftOf: (siteShiftId: number) => string
  lineOf: (siteShiftId: number) => string
}

/** The groups with their students, each of whom can be moved to another one. */
function Groups({ answer, isChecking, moves, onMove, nameOf, shiftOf, lineOf }: GroupsProps) {
  const words = useWords()
  const list = useRef<HTMLUListElement>(null)
  const moved = useRef<number>(undefined)
  // Their row is a new one in the other group: the focus goes along.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows are new with each answer
  useEffect(() => {
    if (moved.current === undefined) return
    list.current?.querySelector<HTMLElement>(`[data-student="${moved.current}"]`)?.focus()
    moved.current = undefined
  }, [answer])
  const move = (studentId: number, group: number) => {
    moved.current = studentId
    onMove(new Map(moves).set(studentId, group))
  }
  const canMove = answer.Groups.length > 1
  return (
    <section aria-busy={isChecking}>
      <div className={classes.groupsHead}>
        <h2>{words('series.groups')}</h2>
        {canMove && <span className="p-muted">{words('series.moveHint')}</span>}
        {moves.size > 0 && (
          <Button variant="default" onClick={() => onMove(new Map())}>
            {words('series.evenAgain')}
          </Button>
        )}
      </div>
      <ul className={classes.groups} ref={list}>
        {answer.Groups.map(({ Name, StudentIds, SiteShiftId }, index) => (
          <li key={Name}>
            <b>{words('series.groupLine', { name: Name, count: StudentIds.length })}</b>
            <span className="p-muted">{lineOf(SiteShiftId)}</span>
            <ul className={classes.members} aria-label={words('series.groupOf', { name: Name })}>
              {StudentIds.map((id) => (
                <li key={id}>
                  {canMove ? (
                    <FloatingMenu position="bottom-start">
                      <Menu.Target>
                        <button
                          type="button"
                          data-student={id}
                          data-moved={moves.has(id) || undefined}
                          aria-label={words('series.move', { name: nameOf(id), group: Name })}
                        >
                          {nameOf(id)}
                          <IconChevronDown size={14} stroke={1.75} aria-hidden />
                        </button>
                      </Menu.Target>
                      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
                        {answer.Groups.map((other, to) =>
                          to === index ? null : (
                            <Menu.Item key={other.Name} onClick={() => move(id, to)}>
                              {words('series.moveTo', {
                                group: other.Name,
                                shift: shiftOf(other.SiteShiftId),
                              })}
                            </Menu.Item>
                          ),
                        )}
                      </Menu.Dropdown>
                    </FloatingMenu>
                  ) : (
                    nameOf(id)
                  )}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** How many requests the findings are about. */
export const countOf = (findings: readonly SeriesFinding[]): number =>
  findings.reduce((sum, { Count }) => sum + Count, 0)

function Findings({ title, findings }: { title: string; findings: readonly SeriesFinding[] }) {
  const words = useWords()
  if (findings.length === 0) return null
  return (
    <section>
      <h2>{title}</h2>
      {findings.map(({ Rule, Count, People }) => (
        <details key={Rule} className={classes.finding} open={findings.length === 1}>
          <summary>
            <b>{words(`series.reason_${Rule}`)}</b>
            <span className="p-muted">
              {words('series.people', { count: People.length })} ·{' '}
              {words('scheduling.totalPart', { count: Count })}
            </span>
          </summary>
          <ul>
            {People.map(({ StudentId, Name, Count: own, Message }) => (
              <li key={StudentId}>
                <b>{Name}</b> · {words('series.times', { count: own })}
                <br />
                {Message} <FixRule rule={Rule} studentId={StudentId} />
              </li>
            ))}
          </ul>
        </details>
      ))}
    </section>
  )
}
