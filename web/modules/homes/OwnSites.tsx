import { IconPhone } from '@tabler/icons-react'
import { useState } from 'react'
import { listOwnSites } from '#contract/reports/member-homes.ts'
import { useRead } from '#web/api/use-call.ts'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { phoneLink } from '#web/ui/phone-link.ts'
import { Section } from '#web/ui/Section.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './homes.module.css'

const pageSize = 20

/** The sites that the person is assigned to, with how many students come. */
export function OwnSites() {
  const words = useWords()
  const [page, setPage] = useState(1)
  const sites = useRead(listOwnSites, { query: { page, pageSize } })
  const { Items = [], Total } = sites.data ?? {}
  return (
    <Section title={words('homes.yourSites')}>
      {sites.error && (
        <PageMessage kind="error" text={sites.error.message} onRetry={() => void sites.refetch()} />
      )}
      {sites.data && Items.length === 0 && <p className={classes.quiet}>{words('homes.noSites')}</p>}
      <ul className={classes.contacts}>
        {Items.map((site) => (
          <li key={site.Id}>
            <div className={classes.grow}>
              <b>{site.Name}</b>
              <span className={classes.role}>{site.Address}</span>
              <span className={classes.role}>
                {words('homes.counts', { today: site.Today, week: site.Week, next: site.NextWeek })}
              </span>
            </div>
            {site.PhoneNumber && (
              <a
                href={phoneLink(site.PhoneNumber)}
                className={classes.reach}
                aria-label={words('homes.call', { name: site.Name })}
                title={site.PhoneNumber}
              >
                <IconPhone size={20} stroke={1.75} aria-hidden />
              </a>
            )}
          </li>
        ))}
      </ul>
      {(Total ?? 0) > pageSize && (
        <Pager page={page} pageSize={pageSize} total={Total ?? 0} onPage={setPage} />
      )}
    </Section>
  )
}
