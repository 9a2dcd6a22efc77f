import type { SiteDetail } from '#contract/sites/sites.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { ShiftMark } from '#web/shared/ShiftMark.tsx'
import { Button } from '#web/ui/buttons.ts'
import { CloseButton } from '#web/ui/icon-buttons.ts'
import { useWords } from '#web/words/use-words.ts'
import { agreementText } from './AgreementTag.tsx'
import classes from './sites.module.css'

const joined = (parts: readonly string[], by: string): string => parts.filter(Boolean).join(by)

/** The chosen site over the map: whom to call, the clock's rules, shifts, agreement, and what to do next. */
export function SiteCard(props: { site: SiteDetail; mayWrite: boolean; onClose: () => void }) {
  const { site, mayWrite, onClose } = props
  const words = useWords()
  const navigate = usePageNavigate()
  const edit = (hash?: string) =>
    navigate('/admin/sites/edit', { search: { id: site.Id }, ...(hash && { hash }) })
  const kinds = [...new Set(site.Shifts.map(({ Type }) => Type))]
  const ofShifts = site.Shifts.reduce((sum, { Capacity }) => sum + Capacity, 0)
  const places = Math.min(ofShifts, site.Capacity ?? ofShifts)
  const wantsRenewal = ['urgent', 'ending', 'expired'].includes(site.AgreementState)
  const address = joined([site.Address, site.City, joined([site.State, site.Zip], ' ')], ', ')
  const contact = site.Contacts[0]
  return (
    <section aria-label={site.Name}>
      <div className={classes.cardHead}>
        <h2>{site.Name}</h2>
        <CloseButton aria-label={words('sites.close')} onClick={onClose} />
      </div>
      {address && <div className={classes.cardAddress}>{address}</div>}
      <dl className={classes.facts}>
        <dt>{words('sites.contact')}</dt>
        <dd>{contact ? joined([contact.Name, contact.Phone], ' · ') : words('sites.noContact')}</dd>
        <dt>{words('sites.clockRules')}</dt>
        <dd>{words('sites.rules', { meters: site.Precision, count: site.Networks.length })}</dd>
        <dt>{words('sites.shifts')}</dt>
        <dd>
          {site.Shifts.length === 0 ? (
            words('sites.noShifts')
          ) : (
            <span className={classes.marks}>
              {kinds.map((kind) => (
                <ShiftMark key={kind} kind={kind} />
              ))}
              {words('sites.placesADay', { count: places })}
            </span>
          )}
        </dd>
        <dt>{words('sites.agreement')}</dt>
        <dd data-tone={site.AgreementState}>
          {joined(
            [
              agreementText(site, words),
              site.StudentsPlaced > 0 ? words('sites.studentsPlaced', { count: site.StudentsPlaced }) : '',
            ],
            ', ',
          )}
        </dd>
      </dl>
      <div className={classes.cardActions}>
        {mayWrite && wantsRenewal && (
          <Button size="xs" onClick={() => edit('agreements')}>
            {words('sites.renew')}
          </Button>
        )}
        {mayWrite && (
          <Button size="xs" variant={wantsRenewal ? 'default' : 'filled'} onClick={() => edit()}>
            {words('sites.edit')}
          </Button>
        )}
        <Button
          size="xs"
          variant="default"
          onClick={() => navigate('/admin/shift-assignments', { search: { site: site.Id } })}
        >
          {words('sites.schedule')}
        </Button>
      </div>
    </section>
  )
}
