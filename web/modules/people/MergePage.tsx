import { IconArrowsExchange } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import { AlikePeople } from '#contract/people/alike.ts'
import {
  listAccountMerges,
  type MergedField,
  type MergedKind,
  mergeAccounts,
  mergedFields,
  previewMerge,
  staysFirst,
  takenFirst,
  undoAccountMerge,
} from '#contract/people/merging.ts'
import { getUser, listStudentLevels, listUsers, searchUsers } from '#contract/people/people.ts'
import { listedName } from '#contract/people/person-fields.ts'
import { PageRedirect } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useAppState, useTimeZone } from '#web/api/use-state.ts'
import { attempt } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { confirm } from '#web/ui/confirm.ts'
import { formatDate, formatInstant } from '#web/ui/dates.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { Radio } from '#web/ui/inputs.ts'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { Section } from '#web/ui/Section.tsx'
import { toast } from '#web/ui/toast.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './MergePage.module.css'

type Preview = AnswerOf<typeof previewMerge>
type Side = Preview['Kept']
type Counted = Side['Rows']

const refresh = { refresh: [searchUsers, listUsers, listAccountMerges, previewMerge] }

/** Two accounts of one person become one: what belongs to both side by side, and which account's particulars stay. */
export function MergePage() {
  const { data: state } = useAppState()
  const [at, setAt] = useAddress({
    kept: null as number | null,
    merged: null as number | null,
    /** Somebody has said which of the two stays. */
    swapped: false,
  })
  if (!state) return null
  if (!state.ProgramId || at.kept === null) return <PageRedirect to="/admin/manage-users" />
  return (
    <Merge
      key={`${at.kept} ${at.merged}`}
      programId={state.ProgramId}
      kept={Number(at.kept)}
      merged={at.merged === null ? null : Number(at.merged)}
      isSwapped={at.swapped}
      onChoose={setAt}
    />
  )
}

const kindWords = {
  time: 'people.mergeTime',
  shifts: 'people.mergeShifts',
  evaluations: 'people.mergeEvaluations',
  procedures: 'people.mergeProcedures',
  exams: 'people.mergeExams',
  requirements: 'people.mergeRequirements',
  records: 'people.mergeRecords',
  placement: 'people.mergePlacement',
  'sign-in': 'people.mergeSignIn',
  other: 'people.mergeOther',
} as const satisfies Record<MergedKind, string>

const fieldWords = {
  FirstName: 'people.firstName',
  MiddleName: 'people.middleName',
  LastName: 'people.lastName',
  Suffix: 'people.suffix',
  EmailAddress: 'people.email',
  PhoneNumber: 'people.phone',
  ZipCode: 'people.zip',
  Institution: 'people.institution',
  StudentNumber: 'people.studentNumber',
  StudentLevelId: 'people.studentLevel',
  Cohort: 'people.cohort',
  UserName: 'people.userName',
} as const satisfies Record<MergedField, string>

const inWords = (words: Words, rows: Counted): string =>
  rows.map(({ Kind, Count }) => words(kindWords[Kind], { count: Count })).join(', ')

const nameOf = ({ FirstName, LastName }: { FirstName: string; LastName: string }) =>
  `${FirstName} ${LastName}`.trim()

type MergeProps = {
  programId: number
  kept: number
  merged: number | null
  isSwapped: boolean
  onChoose: (change: { kept?: number; merged?: number | null; swapped?: boolean }) => void
}

function Merge({ programId, kept, merged, isSwapped, onChoose }: MergeProps) {
  const words = useWords()
  const params = { programId }
  const people = useRead(listUsers, { params })
  const levels = useRead(listStudentLevels, { params })
  const preview = useRead(
    previewMerge,
    { params, query: { KeptId: kept, MergedId: merged ?? 0 } },
    { isEnabled: merged !== null },
  )
  const first = preview.data && !isSwapped && staysFirst(preview.data.Kept, preview.data.Merged)
  const facts =
    preview.data && first && first.stays !== preview.data.Kept
      ? { Kept: preview.data.Merged, Merged: preview.data.Kept }
      : preview.data
  const own = useRead(getUser, { params: { programId, userId: kept } }).data
  const zone = useTimeZone()
  const [chosen, setChosen] = useState<ReadonlySet<MergedField>>()
  const taken = chosen ?? new Set(facts && takenFirst(facts.Kept.Person, facts.Merged.Person))
  const likely = useMemo(() => {
    const alike = new AlikePeople(own ? [own] : [])
    return new Set(people.data?.filter((each) => alike.find(each)))
  }, [own, people.data])
  const merge = useSave(mergeAccounts, refresh)
  const undo = useSave(undoAccountMerge, refresh)
  const takeBack = (mergeId: number) =>
    attempt(async () => {
      const { Refused } = await undo.run({ params: { programId, mergeId } })
      const lost = Refused.map(({ Site, Date: date }) => `${Site} ${formatDate(date)}`).join(', ')
      toast.done({
        title: words('people.mergeUndone'),
        ...(lost && { detail: words('people.shiftsLost', { shifts: lost }), duration: 15_000 }),
      })
    })
  const run = () =>
    attempt(async () => {
      if (!facts) return
      const body = { KeptId: facts.Kept.Person.Id, MergedId: facts.Merged.Person.Id, Take: [...taken] }
      const { Moved, Left, Reopened } = await merge.run({ params, body: { ...body, DryRun: true } })
      const isWanted = await confirm({
        title: words('people.mergeTitle'),
        text: words('people.mergeQuestion', {
          name: nameOf(facts.Merged.Person),
          into: nameOf(facts.Kept.Person),
        }),
        detail: (
          <>
            <p>
              {words('people.mergeMoves', { rows: inWords(words, Moved) || words('people.mergeNothing') })}
            </p>
            {Left.length > 0 && <p>{words('people.mergeLeft', { rows: inWords(words, Left) })}</p>}
            {Reopened > 0 && <p>{words('people.mergeReopened', { count: Reopened })}</p>}
          </>
        ),
        verb: words('people.mergeRun'),
      })
      if (!isWanted) return
      const { MergeId } = await merge.run({ params, body })
      toast.done({
        title: words('people.merged'),
        ...(MergeId !== null && { undo: () => void takeBack(MergeId) }),
      })
      onChoose({ kept: facts.Kept.Person.Id, merged: null, swapped: false })
    })
  const shown = (field: MergedField, { Person }: Side): string =>
    field === 'StudentLevelId'
      ? (levels.data?.find(({ Id }) => Id === Person.StudentLevelId)?.Name ?? '')
      : (Person[field] ?? '')
  const differing = facts
    ? mergedFields.filter((field) => shown(field, facts.Kept) !== shown(field, facts.Merged))
    : []
  return (
    <Page title={words('people.mergeTitle')} inset>
      <div className={classes.body}>
        <p>{words('people.mergeIntro')}</p>
        <div className={classes.choice}>
          <SelectField
            label={words('people.mergeOtherAccount', { name: own ? nameOf(own) : '' })}
            name="MergedId"
            options={(people.data ?? [])
              .filter(({ Id, AccessLevel }) => Id !== kept && AccessLevel === own?.AccessLevel)
              // Who has nearly the name comes first.
              .toSorted((one, other) => Number(likely.has(other)) - Number(likely.has(one)))
              .map(({ Id, FirstName, LastName, EmailAddress, UserName }) => ({
                value: String(Id),
                label: `${listedName({ FirstName, LastName })} · ${EmailAddress || UserName}`,
              }))}
            value={merged === null ? null : String(merged)}
            onChange={(id) => onChoose({ merged: id === null ? null : Number(id), swapped: false })}
          />
          {facts && merged !== null && (
            <Button
              variant="default"
              leftSection={<IconArrowsExchange size={17} stroke={1.75} aria-hidden />}
              onClick={() =>
                onChoose({ kept: facts.Merged.Person.Id, merged: facts.Kept.Person.Id, swapped: true })
              }
            >
              {words('people.mergeSwap')}
            </Button>
          )}
        </div>
        {preview.error && merged !== null && <PageMessage kind="error" text={preview.error.message} />}
        {facts && (
          <>
            {first && (
              <p>
                {words(`people.mergeWhy_${first.reason}`, {
                  name: `${nameOf(first.stays.Person)} (${first.stays.Person.UserName})`,
                })}
              </p>
            )}
            <table className={classes.table}>
              <thead>
                <tr>
                  <th />
                  <th scope="col">{words('people.mergeStays')}</th>
                  <th scope="col">{words('people.mergeEnds')}</th>
                </tr>
              </thead>
              <tbody>
                <tr>
                  <th scope="row">{words('people.mergeAccount')}</th>
                  {[facts.Kept, facts.Merged].map(({ Person, LastSeenAt }) => (
                    <td key={Person.Id}>
                      <b>{nameOf(Person)}</b>
                      <span className={classes.quiet}>
                        {Person.UserName} ·{' '}
                        {LastSeenAt
                          ? words('people.mergeSeen', { at: formatInstant(LastSeenAt, zone) })
                          : words('people.mergeNeverSeen')}
                      </span>
                    </td>
                  ))}
                </tr>
                <tr>
                  <th scope="row">{words('people.mergeHas')}</th>
                  {[facts.Kept, facts.Merged].map(({ Person, Rows }) => (
                    <td key={Person.Id}>{inWords(words, Rows) || words('people.mergeNothing')}</td>
                  ))}
                </tr>
                {differing.map((field) => (
                  <tr key={field}>
                    <th scope="row">{words(fieldWords[field])}</th>
                    {[facts.Kept, facts.Merged].map((side, index) => (
                      <td key={side.Person.Id}>
                        <Radio
                          name={field}
                          checked={taken.has(field) === (index === 1)}
                          onChange={() =>
                            setChosen(
                              new Set(
                                index === 1 ? [...taken, field] : [...taken].filter((each) => each !== field),
                              ),
                            )
                          }
                          label={shown(field, side) || words('people.mergeEmpty')}
                        />
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
            <p className={classes.quiet}>{words('people.mergeConsequence')}</p>
            <Button className={classes.merge} loading={merge.isRunning} onClick={() => void run()}>
              {words('people.mergeRun')}
            </Button>
          </>
        )}
        <PastMerges programId={programId} kept={kept} onUndo={(id) => void takeBack(id)} />
      </div>
    </Page>
  )
}

function PastMerges(props: { programId: number; kept: number; onUndo: (mergeId: number) => void }) {
  const words = useWords()
  const { programId, kept, onUndo } = props
  const zone = useTimeZone()
  const merges = useRead(listAccountMerges, { params: { programId, userId: kept } })
  if (!merges.data || merges.data.length === 0) return null
  return (
    <Section title={words('people.mergePast')}>
      <ul className={classes.past}>
        {merges.data.map(({ Id, Name, UserName, Into, At, By, IsUndone }) => (
          <li key={Id}>
            <span>
              {words('people.mergeOne', { name: Name, userName: UserName, into: Into.Name })}
              <span className={classes.quiet}>
                {words('people.mergeBy', { at: formatInstant(At, zone), name: By })}
              </span>
            </span>
            {IsUndone ? (
              <span className={classes.quiet}>{words('people.mergeIsUndone')}</span>
            ) : (
              <Button variant="default" size="xs" onClick={() => onUndo(Id)}>
                {words('people.mergeUndo')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}
