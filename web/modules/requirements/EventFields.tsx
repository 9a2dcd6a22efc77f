import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { EventField } from '#contract/requirements/requirement-fields.ts'
import {
  eventKindsOf,
  isFarEnd,
  type Rule,
  titerResults,
  vendorResults,
} from '#contract/requirements/requirement-rules.ts'
import { Button } from '#web/ui/buttons.ts'
import { confirm } from '#web/ui/confirm.ts'
import { formatDate } from '#web/ui/dates.ts'
import { DateField } from '#web/ui/form/DateField.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import type { Words } from '#web/words/plain-words.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './proofs.module.css'
import { resultWords } from './rule-words.ts'

/** An event as it is being typed: its days may lack. */
export type DraftEvent = Omit<EventField, 'On'> & { On: string | null }

/** What the form of a proof begins with. */
export const firstEvent = (rule: Rule): DraftEvent => ({
  // Each rule takes something.
  Kind: eventKindsOf[rule.Kind][0]!,
  On: null,
  Until: null,
  Result: '',
  Of: '',
})

/** Events as the rule takes them: what was sent for an earlier rule is read as what this one asks. */
export const fitting = (rule: Rule, events: readonly DraftEvent[]): DraftEvent[] =>
  events.map((event) =>
    eventKindsOf[rule.Kind].includes(event.Kind)
      ? event
      : { ...event, Kind: firstEvent(rule).Kind, Result: '', Of: '' },
  )

/** What lacks of the events, by field; empty where all of them can be sent. */
export const problemsOf = (rule: Rule, events: readonly DraftEvent[]) =>
  Object.fromEntries(
    events.flatMap((event, index) => [
      ...(event.On === null ? [[`On.${index}`, 'requirements.needsDate'] as const] : []),
      ...(rule.Kind === 'until' && event.Until === null
        ? [[`Until.${index}`, 'requirements.needsUntil'] as const]
        : []),
      ...(event.On !== null && event.Until !== null && event.Until < event.On
        ? [[`Until.${index}`, 'requirements.endsBefore'] as const]
        : []),
      ...((event.Kind === 'titer' || event.Kind === 'result') && event.Result === ''
        ? [[`Result.${index}`, 'requirements.needsResult'] as const]
        : []),
    ]),
  ) as Record<
    string,
    | 'requirements.needsDate'
    | 'requirements.needsUntil'
    | 'requirements.endsBefore'
    | 'requirements.needsResult'
  >

/** Asks about an end that is so far away that it may be a slip. */
export const isEndMeant = async (
  words: Words,
  rule: Rule,
  events: readonly DraftEvent[],
): Promise<boolean> => {
  const far = events.find(({ On, Until }) => On !== null && isFarEnd(rule, { On, Until }))
  return (
    far === undefined ||
    confirm({
      title: words('requirements.farTitle'),
      text: words('requirements.farQuestion', { date: formatDate(far.Until) }),
      verb: words('requirements.farVerb'),
    })
  )
}

const most = 12

/** The dates that a rule asks of a proof; of a series doses and titers, as many as its record has. */
export function EventFields(props: {
  rule: Rule
  events: readonly DraftEvent[]
  onChange: (events: DraftEvent[]) => void
  /** By `On.0`, `Until.0`, `Result.0`. */
  problems: Record<string, string | undefined>
  today: string
}) {
  const words = useWords()
  const { rule, events } = props
  const isSeries = rule.Kind === 'series'
  const set = (index: number, part: Partial<DraftEvent>) =>
    props.onChange(events.map((event, at) => (at === index ? { ...event, ...part } : event)))
  const field = (name: string, index: number) => {
    const error = props.problems[`${name}.${index}`]
    return { name: `${name}.${index}`, ...(error !== undefined && { error }) }
  }
  return (
    <div className={classes.events}>
      {events.map((event, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: the place is what an event is
          key={index}
          className={classes.event}
          data-many={isSeries || undefined}
        >
          {isSeries && (
            <SelectField
              label={words('requirements.what')}
              required
              options={[
                { value: 'dose', label: words('requirements.eventDose') },
                ...(rule.Titer === 'none'
                  ? []
                  : [
                      { value: 'titer', label: words('requirements.eventTiter') },
                      { value: 'disease', label: words('requirements.eventDisease') },
                    ]),
                ...(rule.NonResponder
                  ? [{ value: 'nonResponder', label: words('requirements.eventNonResponder') }]
                  : []),
              ]}
              value={event.Kind}
              onChange={(Kind) => set(index, { Kind: Kind as EventField['Kind'], Result: '', Of: '' })}
              {...field('Kind', index)}
            />
          )}
          <DateField
            label={words(
              rule.Kind === 'until'
                ? 'requirements.dateIssued'
                : event.Kind === 'dose'
                  ? 'requirements.dateDose'
                  : event.Kind === 'titer'
                    ? 'requirements.dateTiter'
                    : 'requirements.dateDone',
            )}
            required
            max={props.today}
            value={event.On}
            onChange={(On) => set(index, { On })}
            {...field('On', index)}
          />
          {(rule.Kind === 'until' || rule.Kind === 'result') && (
            <DateField
              label={words('requirements.dateUntil')}
              required={rule.Kind === 'until'}
              {...(rule.Kind === 'until' && { description: words('requirements.dateUntilHint') })}
              value={event.Until}
              onChange={(Until) => set(index, { Until })}
              {...field('Until', index)}
            />
          )}
          {isSeries && event.Kind === 'dose' && rule.Schedules.length > 1 && (
            <SelectField
              label={words('requirements.product')}
              options={rule.Schedules.map(({ Name }) => ({ value: Name, label: Name }))}
              placeholder={words('requirements.anyProduct')}
              value={event.Of || null}
              onChange={(Of) => set(index, { Of: Of ?? '' })}
              {...field('Of', index)}
            />
          )}
          {isSeries && (event.Kind === 'titer' || event.Kind === 'disease') && rule.Parts.length > 0 && (
            <SelectField
              label={words('requirements.part')}
              options={rule.Parts.map((part) => ({ value: part, label: part }))}
              value={event.Of || null}
              onChange={(Of) => set(index, { Of: Of ?? '' })}
              {...field('Of', index)}
            />
          )}
          {(event.Kind === 'titer' || event.Kind === 'result') && (
            <SelectField
              label={words('requirements.result')}
              required
              options={(event.Kind === 'titer' ? titerResults : vendorResults).map((value) => ({
                value,
                label: words(resultWords[value]),
              }))}
              value={event.Result || null}
              onChange={(Result) => set(index, { Result: (Result ?? '') as EventField['Result'] })}
              {...field('Result', index)}
            />
          )}
          {isSeries && events.length > 1 && (
            <Button
              variant="subtle"
              leftSection={<IconTrash size={16} stroke={1.75} aria-hidden />}
              onClick={() => props.onChange(events.filter((_event, at) => at !== index))}
            >
              {words('requirements.removeDate')}
            </Button>
          )}
        </div>
      ))}
      {isSeries && events.length < most && (
        <Button
          variant="default"
          leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
          onClick={() => props.onChange([...events, { ...firstEvent(rule), Of: events.at(-1)?.Of ?? '' }])}
        >
          {words('requirements.addDate')}
        </Button>
      )}
    </div>
  )
}
