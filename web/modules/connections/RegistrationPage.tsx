import { useState } from 'react'
import { type Connection, getConnection, listConnections } from '#contract/connections/connections.ts'
import { type LtiRegistration, renewLtiRegistration } from '#contract/connections/lti.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { attempt } from '#web/ui/attempt.ts'
import { Button } from '#web/ui/buttons.ts'
import { formatInstant } from '#web/ui/dates.ts'
import { Page } from '#web/ui/Page.tsx'
import { Section } from '#web/ui/Section.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { useWords } from '#web/words/use-words.ts'
import { AddressShown } from './AddressShown.tsx'
import { ConnectionPrograms } from './ConnectionPrograms.tsx'
import classes from './connections.module.css'

/** A connection that no LMS has registered for yet: how its address is, why the last opening failed, and another address. */
export function RegistrationPage({ connection }: { connection: Connection }) {
  const words = useWords()
  const zone = useTimeZone()
  const listed = useRead(listConnections)
  const renew = useSave(renewLtiRegistration, { refresh: [listConnections, getConnection] })
  const [made, setMade] = useState<LtiRegistration>()
  const { Id: connectionId, Name, AddressExpireDate } = connection
  const state = listed.data?.find(({ Id }) => Id === connectionId)
  const isOpen = AddressExpireDate !== null && Date.parse(AddressExpireDate) > Date.now()
  const again = () => attempt(async () => setMade(await renew.run({ params: { connectionId } })))
  return (
    <Page
      title={Name}
      breadcrumb={<PageLink href="/new/admin/connections">{words('connections.title')}</PageLink>}
      inset
    >
      <Section title={words('lti.registration.section')}>
        <div className={classes.registration}>
          <StatusTag status={isOpen ? 'pending' : 'careful'}>
            {words(isOpen ? 'connections.awaits_lms' : 'lti.registration.expired')}
          </StatusTag>
          <p>
            {isOpen
              ? words('lti.registration.open', { date: formatInstant(AddressExpireDate, zone) })
              : words('lti.registration.expiredText')}
          </p>
          {state?.LastError && (
            <p className={classes.failed}>
              {words('connections.lastError', {
                date: formatInstant(state.LastErrorDate, zone),
                error: state.LastError,
              })}
            </p>
          )}
          <Button variant="default" loading={renew.isRunning} onClick={() => void again()}>
            {words('lti.registration.again')}
          </Button>
        </div>
      </Section>
      <ConnectionPrograms connection={connection} />
      {made && <AddressShown made={made} onClose={() => setMade(undefined)} />}
    </Page>
  )
}
