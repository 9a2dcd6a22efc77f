import { useState } from 'react'
import { type Connection, getConnection, listConnectedPeople } from '#contract/connections/connections.ts'
import {
  applyRoster,
  listLtiCourses,
  type Roster,
  type RosterAction,
  type RosterLine,
  readRoster,
  rosterActions,
} from '#contract/connections/lti.ts'
import { levelLabel } from '#contract/core/levels.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { attempt } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { SwitchField } from '#web/ui/form/SwitchField.tsx'
import { Grid } from '#web/ui/grid/Grid.tsx'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { type Status, StatusTag } from '#web/ui/StatusTag.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './connections.module.css'

const statuses: Record<RosterAction, Status> = {
  add: 'approved',
  link: 'approved',
  restore: 'approved',
  change: 'review',
  deactivate: 'rejected',
  leave: 'pending',
  keep: 'pending',
  skip: 'careful',
}

/** Some platforms tell no names. */
const nameOf = ({ Name, Subject }: RosterLine): string => Name || Subject

interface RosterDialogProps {
  connection: Connection
  programId: number
  /** Of the program. */
  name: string
  onClose: () => void
}

/** Reads the roster of a course, shows what applying it would do in a program, and applies it. */
export function RosterDialog({ connection, programId, name, onClose }: RosterDialogProps) {
  const words = useWords()
  const { Id: connectionId } = connection
  const courses = useRead(listLtiCourses, { params: { connectionId } })
  const read = useSave(readRoster)
  const apply = useSave(applyRoster, { refresh: [getConnection, listConnectedPeople] })
  const [course, setCourse] = useState<string | null>(null)
  const [links, setLinks] = useState(false)
  const [roster, setRoster] = useState<Roster>()
  const [onlyChanges, setOnlyChanges] = useState(true)
  const chosen = course ?? (courses.data?.length === 1 ? String(courses.data[0]?.Id) : null)
  const hasToken = connection.Lti?.TokenUrl !== ''
  const countOf = (action: RosterAction): number =>
    roster?.Lines.filter(({ Action }) => Action === action).length ?? 0
  const changes = (roster?.Lines.length ?? 0) - countOf('keep') - countOf('skip')
  const told = (actions: readonly RosterAction[]): string =>
    actions
      .filter((action) => countOf(action) > 0)
      .map((action) => words(`lti.counts.${action}`, { count: countOf(action) }))
      .join(' · ')

  const load = () =>
    attempt(async () => {
      const body = { CourseId: Number(chosen), LinksByEmail: links }
      setRoster(await read.run({ params: { connectionId, programId }, body }))
    })
  const store = () =>
    attempt(async () => {
      if (!roster) return
      const params = { connectionId, programId, rosterId: roster.Id }
      await apply.run({ params, body: { Changes: changes } })
      const what = told(rosterActions.filter((action) => !['keep', 'skip', 'leave'].includes(action)))
      toast.done(what ? words('lti.applied', { what }) : words('lti.appliedNothing'))
      onClose()
    })
  const whyNotRead = (!hasToken && words('lti.noToken')) || (chosen === null && words('lti.chooseCourse'))
  const rows = roster?.Lines.filter(({ Action }) => !onlyChanges || Action !== 'keep') ?? []
  return (
    <Dialog
      opened
      onClose={onClose}
      losesNothing
      width={roster ? 920 : 560}
      title={words('lti.rosterTitle', { name })}
      subtitle={words('lti.rosterIntro')}
      stayOnOutsideClick
      summary={roster && (changes === 0 ? words('lti.nothing') : told(rosterActions))}
      actions={
        <>
          {!(roster && changes > 0) && <LeaveButton onClick={onClose}>{words('lti.close')}</LeaveButton>}
          {roster ? (
            <>
              <Button variant="default" loading={read.isRunning} onClick={() => void load()}>
                {words('lti.readAgain')}
              </Button>
              {changes > 0 && (
                <Button loading={apply.isRunning} onClick={() => void store()}>
                  {words('lti.apply', { count: changes })}
                </Button>
              )}
            </>
          ) : (
            courses.data &&
            courses.data.length > 0 && (
              <DisabledReason reason={whyNotRead}>
                <Button loading={read.isRunning} onClick={() => void load()}>
                  {words('lti.read')}
                </Button>
              </DisabledReason>
            )
          )}
        </>
      }
    >
      {courses.error && (
        <PageMessage
          kind="error"
          text={words('lti.loadFailed', { reason: courses.error.message })}
          onRetry={() => void courses.refetch()}
        />
      )}
      {courses.data?.length === 0 && <PageMessage kind="empty" text={words('lti.noCourses')} />}
      {courses.data && courses.data.length > 0 && !roster && (
        <div className={classes.roster}>
          <SelectField
            name="CourseId"
            label={words('lti.course')}
            description={words('lti.courseHint')}
            required
            options={courses.data.map(({ Id, Title }) => ({ value: String(Id), label: Title }))}
            value={chosen}
            onChange={setCourse}
          />
          <SwitchField
            name="LinksByEmail"
            label={words('lti.linksByEmail')}
            description={words('lti.linksByEmailHint')}
            value={links}
            onChange={setLinks}
          />
          {!hasToken && <p className={classes.said}>{words('lti.noToken')}</p>}
        </div>
      )}
      {roster && (
        <div className={classes.roster}>
          <SwitchField
            name="OnlyChanges"
            label={words('lti.onlyChanges')}
            value={onlyChanges}
            onChange={setOnlyChanges}
          />
          <Grid<RosterLine>
            id="roster"
            label={words('lti.rosterTitle', { name })}
            rows={rows}
            rowKey={(row) => `${row.Action} ${row.Subject}`}
            sortHere
            noColumnChoice
            empty={{ text: words('lti.empty') }}
            columns={[
              {
                id: 'Name',
                header: words('lti.person'),
                identity: true,
                sortable: true,
                grow: 2,
                text: nameOf,
                cell: nameOf,
                detail: ({ Email }) => Email,
              },
              {
                id: 'Roles',
                header: words('lti.roles'),
                text: ({ Roles }) => Roles.map((role) => words(`lti.role.${role}`)).join(', '),
                cell: ({ Roles }) => Roles.map((role) => words(`lti.role.${role}`)).join(', '),
              },
              {
                id: 'Level',
                header: words('lti.level'),
                width: 130,
                sortable: true,
                text: ({ Level }) => (Level === null ? '' : levelLabel(Level)),
                cell: ({ Level }) => (Level === null ? '' : levelLabel(Level)),
              },
              {
                id: 'Action',
                header: words('lti.what'),
                width: 240,
                sortable: true,
                text: (row) => words(`lti.action.${row.Action}`),
                cell: ({ Action, Reason, Alike }) => (
                  <span className={classes.what}>
                    <StatusTag status={statuses[Action]}>{words(`lti.action.${Action}`)}</StatusTag>
                    {Alike !== '' && (
                      <span className={classes.why}>{words('lti.alike', { name: Alike })}</span>
                    )}
                    {Reason && <span className={classes.why}>{words(`lti.reason.${Reason}`)}</span>}
                  </span>
                ),
              },
            ]}
          />
        </div>
      )}
    </Dialog>
  )
}
