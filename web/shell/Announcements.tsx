import { IconChevronDown, IconCircleCheck, IconSpeakerphone } from '@tabler/icons-react'
import {
  acknowledgeAnnouncement,
  listOwnAnnouncements,
  type ShownAnnouncement,
} from '#contract/news/announcements.ts'
import { getHome } from '#contract/reports/reports.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { attempt } from '#web/ui/attempt.ts'
import { dateOfInstant, formatDate } from '#web/ui/dates.ts'
import { Html } from '#web/ui/Html.tsx'
import { textOfHtml } from '#web/ui/html-text.ts'
import { PlainButton } from '#web/ui/PlainButton.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './Announcements.module.css'

const waits = ({ AsksAcknowledgement, AcknowledgedAt }: ShownAnnouncement): boolean =>
  AsksAcknowledgement && AcknowledgedAt === null

export const useOwnAnnouncements = () => useRead(listOwnAnnouncements, {}, { refetchEveryMs: 300_000 })

/**
 * The announcements of the signed-in person on a home page: what waits to be acknowledged, what does not, or all. `isFolded`
 * shows each as one line that opens, for phones whose screen belongs to something else.
 */
export function Announcements({
  part = 'all',
  isFolded,
}: {
  part?: 'all' | 'waiting' | 'rest'
  isFolded?: boolean
}) {
  const words = useWords()
  const own = useOwnAnnouncements()
  const shown = (own.data ?? []).filter((item) => part === 'all' || waits(item) === (part === 'waiting'))
  if (shown.length === 0) return null
  return (
    <div className={classes.list}>
      {shown.map((item) =>
        isFolded ? (
          <details key={item.Id} className={classes.folded} data-waits={waits(item) || undefined}>
            <summary>
              <IconSpeakerphone size={20} stroke={1.75} aria-hidden />
              <span>
                <b>{words('announcements.one')}</b>
                <small>{textOfHtml(item.Html).replace(/\s+/g, ' ')}</small>
              </span>
              <IconChevronDown size={20} stroke={1.75} aria-hidden />
            </summary>
            <Content item={item} />
          </details>
        ) : (
          <article key={item.Id} className={classes.card} aria-label={words('announcements.one')}>
            <header>
              <h2>{words('announcements.one')}</h2>
              <span>{formatDate(item.Date)}</span>
            </header>
            <Content item={item} />
          </article>
        ),
      )}
    </div>
  )
}

function Content({ item }: { item: ShownAnnouncement }) {
  return (
    <div className={classes.content}>
      <Html html={item.Html} className={classes.text} />
      <Acknowledgement item={item} />
    </div>
  )
}

/** The button that acknowledges an announcement, and afterwards the word that it was (once a reader). */
export function Acknowledgement({ item }: { item: ShownAnnouncement }) {
  const words = useWords()
  const timeZone = useTimeZone()
  const save = useSave(acknowledgeAnnouncement, { refresh: [listOwnAnnouncements, getHome] })
  if (!item.AsksAcknowledgement) return null
  if (item.AcknowledgedAt)
    return (
      <p className={classes.done}>
        <IconCircleCheck size={16} stroke={1.75} aria-hidden />
        {words('announcements.acknowledgedOn', {
          date: formatDate(dateOfInstant(Date.parse(item.AcknowledgedAt), timeZone)),
        })}
      </p>
    )
  const run = () =>
    attempt(async () => {
      await save.run({ params: { announcementId: item.Id } })
      toast.done(words('announcements.acknowledged'))
    })
  return (
    <PlainButton className={classes.button} isRunning={save.isRunning} onClick={() => void run()}>
      {words('announcements.acknowledge')}
    </PlainButton>
  )
}
