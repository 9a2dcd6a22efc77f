import { countEmails, maxEmails, noCohort, UserType } from '#contract/communication/emails.ts'
import { listCohorts, listStudentLevels } from '#contract/people/people.ts'
import { listSites } from '#contract/sites/sites.ts'
import { useRead } from '#web/api/use-call.ts'
import { CheckField } from '#web/ui/form/CheckField.tsx'
import { MultiSelectField } from '#web/ui/form/MultiSelectField.tsx'
import { useDebouncedValue } from '#web/ui/hooks.ts'
import { textOfHtml } from '#web/ui/html-text.ts'
import type { WordKey } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import { type Choice, hasAnybody, selectionOf, withStudents } from './email-selection.ts'
import classes from './emails.module.css'
import { PeopleField } from './PeopleField.tsx'
import { ProgramChoice } from './ProgramChoice.tsx'

interface PanelProps {
  choice: Choice
  onChange: (choice: Choice) => void
  /** Null for super admins, who choose programs. */
  programId: number | null
  error?: string | undefined
}

const debounceMs = 400

/** Who gets the email: groups of their own program, or programs for super admins; single people for both. */
export function RecipientsPanel(props: PanelProps) {
  const words = useWords()
  const { choice, onChange, programId, error } = props
  return (
    <section className={classes.panel} aria-labelledby="send-to">
      <div className={classes.panelHead}>
        <h2 id="send-to" tabIndex={-1}>
          {words('emails.sendTo')}
        </h2>
        {programId !== null && <span>{words('emails.ownProgram')}</span>}
      </div>
      {programId === null ? (
        <ProgramGroups choice={choice} onChange={onChange} />
      ) : (
        <OwnGroups choice={choice} onChange={onChange} programId={programId} />
      )}
      <PeopleField value={choice.picked} onChange={(picked) => onChange({ ...choice, picked })} />
      <Sum choice={choice} programId={programId} error={error} />
    </section>
  )
}

type GroupsProps = Pick<PanelProps, 'choice' | 'onChange'>

const toggled = (groups: readonly number[], type: number, isOn: boolean): number[] =>
  isOn ? [...groups, type] : groups.filter((group) => group !== type)

function Group({ choice, onChange, type, word }: GroupsProps & { type: UserType; word: WordKey }) {
  const words = useWords()
  return (
    <CheckField
      name={`group-${type}`}
      label={words(word)}
      value={choice.groups.includes(type)}
      onChange={(isOn) => onChange({ ...choice, groups: toggled(choice.groups, type, isOn) })}
    />
  )
}

function ProgramGroups({ choice, onChange }: GroupsProps) {
  const words = useWords()
  return (
    <>
      <ProgramChoice value={choice.programs} onChange={(programs) => onChange({ ...choice, programs })} />
      <fieldset className={classes.groups}>
        <legend className="p-sr-only">{words('emails.sendTo')}</legend>
        <div className={classes.group}>
          <Group
            choice={choice}
            onChange={onChange}
            type={UserType.ProgramDirectors}
            word="emails.directors"
          />
        </div>
        <div className={classes.group}>
          <CheckField
            name="group-0"
            label={words('emails.notifications')}
            description={words('emails.notificationsDetail')}
            value={choice.groups.includes(UserType.EmailNotifications)}
            onChange={(isOn) =>
              onChange({ ...choice, groups: toggled(choice.groups, UserType.EmailNotifications, isOn) })
            }
          />
        </div>
        <div className={classes.group}>
          <CheckField
            name="payments"
            label={words('emails.payments')}
            description={words('emails.paymentsDetail')}
            value={choice.hasPayments}
            onChange={(hasPayments) => onChange({ ...choice, hasPayments })}
          />
        </div>
      </fieldset>
    </>
  )
}

const plainGroups = [
  [UserType.ProgramDirectors, 'emails.directors'],
  [UserType.Faculty, 'emails.faculty'],
  [UserType.Supervisors, 'emails.supervisors'],
  [UserType.SiteEmployees, 'emails.siteEmployees'],
  [UserType.GenericEmployees, 'emails.genericEmployees'],
] as const

function OwnGroups({ choice, onChange, programId }: GroupsProps & { programId: number }) {
  const words = useWords()
  const inProgram = { params: { programId } }
  const levels = useRead(listStudentLevels, inProgram, { staleMs: 300_000 })
  const cohorts = useRead(listCohorts, inProgram, { staleMs: 300_000 })
  const sites = useRead(listSites, inProgram, { staleMs: 300_000 })
  const hasStudents = choice.groups.includes(UserType.Students)
  const hasAlumni = choice.groups.includes(UserType.Alumni)
  const levelIds = levels.data?.map(({ Id }) => Id) ?? []
  const tickLevel = (id: string, isOn: boolean) => {
    const next = isOn ? [...choice.levels, id] : choice.levels.filter((each) => each !== id)
    onChange(next.length === 0 ? withStudents(choice, false, []) : { ...choice, levels: next })
  }
  return (
    <fieldset className={classes.groups}>
      <legend className="p-sr-only">{words('emails.sendTo')}</legend>
      <div className={classes.group}>
        <CheckField
          name="group-5"
          label={words('emails.students')}
          value={hasStudents}
          onChange={(isOn) => onChange(withStudents(choice, isOn, levelIds))}
        />
        {hasStudents && levelIds.length > 0 && (
          <fieldset className={classes.groups}>
            <legend className="p-sr-only">{words('emails.studentLevels')}</legend>
            <div className={classes.within}>
              {levels.data?.map(({ Id, Name }) => (
                <CheckField
                  key={Id}
                  name={`level-${Id}`}
                  label={Name}
                  value={choice.levels.includes(String(Id))}
                  onChange={(isOn) => tickLevel(String(Id), isOn)}
                />
              ))}
            </div>
          </fieldset>
        )}
      </div>
      <div className={classes.group}>
        <Group choice={choice} onChange={onChange} type={UserType.Alumni} word="emails.alumni" />
        {hasAlumni && (
          <div className={classes.within}>
            <div className={classes.wide}>
              <MultiSelectField
                name="cohorts"
                label={words('emails.cohorts')}
                placeholder={words('emails.everyCohort')}
                options={[noCohort, ...(cohorts.data ?? [])].map((name) => ({ value: name, label: name }))}
                value={choice.cohorts}
                onChange={(next) => onChange({ ...choice, cohorts: next })}
              />
            </div>
          </div>
        )}
      </div>
      {plainGroups.map(([type, word]) => (
        <div key={type} className={classes.group}>
          <Group choice={choice} onChange={onChange} type={type} word={word} />
        </div>
      ))}
      <div className={classes.group}>
        <MultiSelectField
          name="sites"
          label={words('emails.sites')}
          hint={words('emails.sitesHint')}
          placeholder={words('emails.noSites')}
          options={(sites.data ?? []).map(({ Id, Name }) => ({ value: String(Id), label: textOfHtml(Name) }))}
          value={choice.sites}
          onChange={(next) => onChange({ ...choice, sites: next })}
        />
      </div>
    </fieldset>
  )
}

/** How many people the choice results in, before anything is sent. */
function Sum({ choice, programId, error }: Pick<PanelProps, 'choice' | 'programId' | 'error'>) {
  const words = useWords()
  const [settled] = useDebouncedValue(choice, debounceMs)
  const context = { individualId: null, programId }
  const isAnybody = hasAnybody(settled, context)
  const count = useRead(
    countEmails,
    { body: selectionOf(settled, context) },
    { isEnabled: isAnybody, staleMs: 30_000 },
  )
  if (error || count.error)
    return (
      <div className={classes.sum} role="status">
        <p className={classes.over}>{error ?? count.error?.message}</p>
      </div>
    )
  if (!isAnybody)
    return (
      <div className={classes.sum} role="status">
        <p>{words('emails.chooseSomebody')}</p>
      </div>
    )
  if (!count.data)
    return (
      <div className={classes.sum} role="status">
        <p>{words('emails.counting')}</p>
      </div>
    )
  const { Emails, IsTooMany, Blocked, WithoutAddress, Twice } = count.data
  const figures = [
    IsTooMany && words('emails.limit'),
    Blocked > 0 && words('emails.blocked', { count: Blocked }),
    WithoutAddress > 0 && words('emails.withoutAddress', { count: WithoutAddress }),
    Twice > 0 && words('emails.twice', { count: Twice }),
  ].filter((text) => text !== false)
  return (
    <div className={classes.sum} role="status">
      <p className={`${classes.total} ${Emails > maxEmails ? classes.over : ''}`}>
        {words('emails.counted', { count: Emails })}
      </p>
      {figures.length > 0 && (
        <ul>
          {figures.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
    </div>
  )
}
