import { IconArrowRight } from '@tabler/icons-react'
import { useState } from 'react'
import type { PageAddress } from '#contract/core/pages.ts'
import {
  getSystemStatus,
  type outsideKinds,
  type SystemPart,
  type SystemPartKey,
  type SystemStatus,
} from '#contract/system/system.ts'
import { useRead } from '#web/api/use-call.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { Button } from '#web/ui/buttons.ts'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { formatInstant } from '#web/ui/dates.ts'
import { fileSize } from '#web/ui/file-size.ts'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { Section } from '#web/ui/Section.tsx'
import { type Status, StatusTag } from '#web/ui/StatusTag.tsx'
import { useWords } from '#web/words/use-words.ts'
import { RestoredCopySection } from './RestoredCopySection.tsx'
import { SystemTest } from './SystemTest.tsx'
import classes from './system-status.module.css'

/** What the worker's checks find meanwhile shows by itself. */
const refreshMs = 10_000

const statuses = {
  off: 'pending',
  unchecked: 'pending',
  working: 'approved',
  attention: 'careful',
  failing: 'rejected',
} satisfies Record<SystemPart['State'], Status>

/** System Status: how the parts of the installation are, and a test of each. */
export function SystemStatusPage() {
  const words = useWords()
  const status = useRead(getSystemStatus, {}, { refetchEveryMs: refreshMs })
  const [tested, setTested] = useState<SystemPartKey>()
  return (
    <Page title={words('systemStatus.title')} intro={words('systemStatus.intro')} inset>
      {status.data ? (
        <div className={classes.parts}>
          {status.data.RestoredCopy && <RestoredCopySection copy={status.data.RestoredCopy} />}
          <Section
            title={words('systemStatus.parts')}
            end={
              <span className={classes.version}>
                {words('systemStatus.version', { version: status.data.Version })}
              </span>
            }
          >
            <ul className={classes.list}>
              {status.data.Parts.map((part) => (
                <PartRow
                  key={part.Key}
                  part={part}
                  ownToDo={ownToDo(part, status.data.Now, status.dataUpdatedAt)}
                  onTest={() => setTested(part.Key)}
                />
              ))}
            </ul>
          </Section>
          <OutsideSection outside={status.data.Outside} />
        </div>
      ) : (
        status.error && (
          <PageMessage
            kind="error"
            text={words('systemStatus.loadFailed', { reason: status.error.message })}
            onRetry={() => void status.refetch()}
          />
        )
      )}
      {tested && <SystemTest part={tested} onClose={() => setTested(undefined)} />}
    </Page>
  )
}

const figureText = ({ Name, Value }: SystemPart['Figures'][number], zone: string): string => {
  switch (Name) {
    case 'size':
    case 'free':
      return fileSize(Number(Value))
    case 'version':
      return Value
    case 'arrived':
      return formatInstant(Value, zone)
    default:
      return Number(Value).toLocaleString('en-US')
  }
}

/** What only this browser can tell: by which address and by which clock it came. */
type OwnToDo = { key: 'otherAddress' | 'otherClock'; values: Record<string, string> } | undefined

const mostSecondsApart = 60

const ownToDo = ({ Key, Place }: SystemPart, now: string, readAt: number): OwnToDo => {
  if (Key === 'https' && Place !== '' && Place !== location.origin)
    return { key: 'otherAddress', values: { address: location.origin, setting: Place } }
  const seconds = Math.round(Math.abs(Date.parse(now) - readAt) / 1_000)
  return Key === 'time' && seconds > mostSecondsApart
    ? { key: 'otherClock', values: { count: String(seconds) } }
    : undefined
}

function PartRow({ part, ownToDo, onTest }: { part: SystemPart; ownToDo: OwnToDo; onTest: () => void }) {
  const words = useWords()
  const zone = useTimeZone()
  const name = words(`systemStatus.part.${part.Key}.name`)
  const isOff = part.State === 'off'
  const place = part.Key === 'database' && part.Place === '' ? words('systemStatus.ownDatabase') : part.Place
  const worked = part.LastSuccessDate
    ? words(part.State === 'attention' ? 'systemStatus.lastLooked' : 'systemStatus.lastChecked', {
        date: formatInstant(part.LastSuccessDate, zone),
      })
    : words('systemStatus.neverWorked')
  const isHeic = part.Key === 'heic'
  const setting = isHeic
    ? words('systemStatus.heicInstall')
    : part.Setting && words('systemStatus.setWith', { setting: part.Setting })
  const off = isHeic
    ? words('systemStatus.heicOff')
    : words('systemStatus.testOff', { setting: part.Setting })
  const toDo = ownToDo ? words(`systemStatus.${ownToDo.key}`, ownToDo.values) : part.ToDo
  const facts = [
    ...(place ? [place] : []),
    ...(part.State === 'working' || !setting ? [] : [setting]),
    ...part.Figures.map((figure) =>
      words(`systemStatus.figure.${figure.Name}`, { value: figureText(figure, zone) }),
    ),
    ...(isOff || part.State === 'unchecked' ? [] : [worked]),
  ]
  return (
    <li className={classes.part}>
      <h3>{name}</h3>
      <p className={classes.purpose}>{words(`systemStatus.part.${part.Key}.purpose`)}</p>
      {facts.length > 0 && <p className={classes.facts}>{facts.join(' · ')}</p>}
      {!isOff && part.LastError && (
        <p className={classes.error} data-past={part.State !== 'failing' || undefined}>
          {part.LastErrorDate
            ? words('systemStatus.lastErrorAt', {
                date: formatInstant(part.LastErrorDate, zone),
                error: part.LastError,
              })
            : words('systemStatus.lastError', { error: part.LastError })}
        </p>
      )}
      {toDo && (
        <p className={classes.toDo}>
          <IconArrowRight size={15} stroke={1.75} aria-hidden />
          {toDo}
        </p>
      )}
      <div className={classes.state}>
        <StatusTag status={statuses[part.State]}>{words(`systemStatus.state.${part.State}`)}</StatusTag>
      </div>
      <div className={classes.test}>
        <DisabledReason reason={isOff && off}>
          <Button variant="default" aria-label={words('systemStatus.testName', { name })} onClick={onTest}>
            {words('systemStatus.test')}
          </Button>
        </DisabledReason>
      </div>
    </li>
  )
}

/** The pages where the connections of a kind are; webhooks belong to programs. */
const pagesOf = {
  saml: '/new/admin/saml/admin',
  oidc: '/new/admin/connections',
  lti: '/new/admin/connections',
  scim: '/new/admin/connections',
  webhook: '/new/admin/webhooks',
  'webhook switched off': '/new/admin/webhooks',
  push: '/new/admin/push',
} as const satisfies Record<(typeof outsideKinds)[number], PageAddress>

function OutsideSection({ outside }: { outside: SystemStatus['Outside'] }) {
  const words = useWords()
  return (
    <Section title={words('systemStatus.outside')}>
      <p className={classes.note}>{words('systemStatus.outsideNote')}</p>
      <ul className={classes.list}>
        {outside.map(({ Kind, FailingCount }) => (
          <li key={Kind} className={classes.kind}>
            <PageLink href={pagesOf[Kind]}>
              {words(`systemStatus.kind.${Kind === 'webhook switched off' ? 'webhookOff' : Kind}`)}
            </PageLink>
            <StatusTag status={FailingCount > 0 ? 'rejected' : 'approved'}>
              {FailingCount > 0
                ? words('systemStatus.failingCount', { count: FailingCount })
                : words('systemStatus.noErrors')}
            </StatusTag>
          </li>
        ))}
      </ul>
    </Section>
  )
}
