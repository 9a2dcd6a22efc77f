import {
  downloadOwnSiteDocument,
  getOwnSitePapers,
  listExpectedStudents,
  listOwnSites,
} from '#contract/reports/member-homes.ts'
import { callAddress } from '#web/api/call.ts'
import { useRead } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useReadAll } from '#web/api/use-read-all.ts'
import { formatDate } from '#web/ui/dates.ts'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { Section } from '#web/ui/Section.tsx'
import { SegmentedCounts } from '#web/ui/SegmentedCounts.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { useWords } from '#web/words/use-words.ts'
import { CalendarLink } from './CalendarLink.tsx'
import { ExpectedDays } from './ExpectedDays.tsx'
import classes from './homes.module.css'
import { OwnSites } from './OwnSites.tsx'
import { PaperLine } from './PaperLine.tsx'

const pageSize = 50
const choices = ['today', 'week', 'next'] as const
type When = (typeof choices)[number]
const choiceWords = { today: 'homes.today', week: 'homes.week', next: 'homes.nextWeek' } as const
const noneWords = { today: 'homes.noneToday', week: 'homes.noneWeek', next: 'homes.noneNext' } as const

/** The home of people of a site: who comes when, the sites, their documents and the end of the agreements. */
export function SiteHome() {
  return (
    <>
      <Expected />
      <OwnSites />
      <Papers />
    </>
  )
}

function Expected() {
  const words = useWords()
  const { at, filter, paging, pager } = useListAddress(
    listExpectedStudents,
    { when: 'today', site: null as number | null, page: 1 },
    pageSize,
  )
  const when: When = choices.find((each) => each === at.when) ?? 'today'
  const sites = useReadAll(listOwnSites, {}, { staleMs: 300_000 })
  const expected = useRead(
    listExpectedStudents,
    {
      query: {
        When: when,
        ...(at.site !== null && { SiteId: at.site }),
        ...paging,
      },
    },
    { refetchEveryMs: 120_000 },
  )
  const { Items = [], Total } = expected.data ?? {}
  const total = Total ?? 0
  const ownSites = sites.data ?? []
  return (
    <Section title={words('homes.who')} end={<CalendarLink />}>
      <div className={classes.choice}>
        <SegmentedCounts
          label={words('homes.who')}
          value={when}
          onChange={(next) => filter({ when: next })}
          segments={choices.map((value) => ({
            value,
            label: words(choiceWords[value]),
            ...(value === when && expected.data && { count: total }),
          }))}
        />
        {ownSites.length > 1 && (
          <SelectChip
            name={words('homes.site')}
            none={words('homes.allSites')}
            options={ownSites.map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
            value={at.site === null ? null : String(at.site)}
            onChange={(value) => filter({ site: value === null ? null : Number(value) })}
          />
        )}
      </div>
      {expected.error && (
        <PageMessage kind="error" text={expected.error.message} onRetry={() => void expected.refetch()} />
      )}
      {expected.data && Items.length === 0 && <p className={classes.quiet}>{words(noneWords[when])}</p>}
      <ExpectedDays shifts={Items} withSite={ownSites.length > 1} />
      <Pager {...pager} total={total} />
    </Section>
  )
}

function Papers() {
  const words = useWords()
  const papers = useRead(getOwnSitePapers)
  if (papers.error)
    return <PageMessage kind="error" text={papers.error.message} onRetry={() => void papers.refetch()} />
  if (!papers.data) return null
  const { Agreements, Documents } = papers.data
  const ends = ({ State, EndDate }: (typeof Agreements)[number]): string => {
    if (State === 'none') return words('homes.agreementNone')
    if (EndDate === null) return words('homes.agreementOpen')
    return words(State === 'expired' ? 'homes.agreementExpired' : 'homes.agreementUntil', {
      date: formatDate(EndDate),
    })
  }
  const tone = {
    'in-force': 'approved',
    ending: 'review',
    urgent: 'careful',
    expired: 'rejected',
    none: 'pending',
  } as const
  return (
    <>
      <Section title={words('homes.papers')}>
        {Documents.length === 0 && <p className={classes.quiet}>{words('homes.noPapers')}</p>}
        <ul className={classes.papers}>
          {Documents.map((document) => (
            <PaperLine
              key={document.Id}
              document={document}
              href={callAddress(downloadOwnSiteDocument, {
                params: { siteId: document.SiteId, documentId: document.Id },
              })}
              of={document.Site}
            />
          ))}
        </ul>
      </Section>
      {Agreements.length > 0 && (
        <Section title={words('homes.agreements')}>
          <ul className={classes.students}>
            {Agreements.map((agreement) => (
              <li key={agreement.SiteId}>
                <span className={classes.grow}>{agreement.Site}</span>
                <StatusTag status={tone[agreement.State]}>{ends(agreement)}</StatusTag>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}
