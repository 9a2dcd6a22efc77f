import { IconArrowLeft, IconBraces, IconChevronRight, IconLink } from '@tabler/icons-react'
import { useEffect, useMemo, useState } from 'react'
import { getDescription } from '#contract/core/description.ts'
import { finder } from '#contract/core/search.ts'
import { callAddress } from '#web/api/call.ts'
import { pageAddress } from '#web/api/root.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead } from '#web/api/use-call.ts'
import { Button } from '#web/ui/buttons.ts'
import { EmptyList } from '#web/ui/EmptyList.tsx'
import { SearchBox } from '#web/ui/filters/SearchBox.tsx'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './description.module.css'
import type { Call, Operation } from './examples.ts'
import { aboutOf, kindOf, linesOf, withComponents } from './schema.ts'
import { Trying } from './Trying.tsx'

interface Description {
  servers: { url: string }[]
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: unknown
}
const callsOf = ({ paths }: Description): Call[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  )

const hashId = (): string => decodeURIComponent(location.hash.slice(1))

/** The description of all calls for who writes a program against them: made from `openapi.json`, nothing from elsewhere. */
export function ApiPage() {
  const words = useWords()
  const [at, setAt] = useAddress({ search: '' })
  const read = useRead(getDescription, {}, { staleMs: Number.POSITIVE_INFINITY })
  const description = read.data as Description | undefined
  const [linked, setLinked] = useState(hashId)
  const all = useMemo(() => (description ? callsOf(description) : []), [description])
  useEffect(() => {
    const follow = () => setLinked(hashId())
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  useEffect(() => {
    if (all.length > 0 && linked) document.getElementById(linked)?.scrollIntoView({ block: 'start' })
  }, [all, linked])

  const isFound = finder(at.search)
  const found = all.filter(({ method, path, operationId, summary, 'x-key-right': right }) =>
    isFound(`${method} ${path} ${operationId} ${summary} ${right ?? ''}`),
  )
  const domains = (description?.tags ?? [])
    .map(({ name }) => ({ name, calls: found.filter(({ tags }) => tags.includes(name)) }))
    .filter(({ calls }) => calls.length > 0)
  const total = all.length.toLocaleString('en-US')
  const base = description?.servers[0]?.url ?? ''
  return (
    <Page
      title={words('description.title')}
      count={
        description &&
        (at.search.trim()
          ? words('description.found', { count: found.length, total })
          : words('description.count', { count: all.length }))
      }
      actions={
        <>
          <Button
            variant="default"
            component="a"
            href={callAddress(getDescription)}
            leftSection={<IconBraces size={17} stroke={1.75} aria-hidden />}
          >
            {words('description.asJson')}
          </Button>
          <Button
            variant="default"
            component="a"
            href={pageAddress('')}
            leftSection={<IconArrowLeft size={17} stroke={1.75} aria-hidden />}
          >
            {words('description.back')}
          </Button>
        </>
      }
      filters={
        <SearchBox
          label={words('description.search')}
          value={at.search}
          onChange={(search) => setAt({ search })}
          width={420}
          maxLength={100}
        />
      }
      inset
      standalone
    >
      {read.error && (
        <PageMessage kind="error" text={read.error.message} onRetry={() => void read.refetch()} />
      )}
      {description && found.length === 0 && (
        <EmptyList
          text={words('description.none')}
          filters={{ isFiltered: at.search !== '', reset: () => setAt({ search: '' }) }}
        />
      )}
      {domains.length > 0 && (
        <div className={classes.columns}>
          <nav className={classes.domains} aria-label={words('description.domains')}>
            {domains.map(({ name, calls }) => (
              <a key={name} href={`#${name}`}>
                {name} <span>{calls.length}</span>
              </a>
            ))}
          </nav>
          <div className={classes.calls}>
            {!at.search.trim() && <Calling base={`${location.origin}${base}`} />}
            {domains.map(({ name, calls }) => (
              <section key={name} aria-labelledby={name}>
                <h2 id={name} className={classes.domain}>
                  {name}
                </h2>
                {calls.map((call) => (
                  <CallEntry
                    key={call.operationId}
                    call={call}
                    components={description?.components}
                    base={`${location.origin}${base}`}
                    isLinked={linked === call.operationId}
                  />
                ))}
              </section>
            ))}
          </div>
        </div>
      )}
    </Page>
  )
}

function Calling({ base }: { base: string }) {
  const words = useWords()
  return (
    <section className={classes.calling} aria-labelledby="calling">
      <h2 id="calling" className={classes.domain}>
        {words('description.calling')}
      </h2>
      <ul>
        <li>{words('description.callingBase', { base })}</li>
        <li>{words('description.callingBearer')}</li>
        <li>{words('description.callingSession')}</li>
        <li>{words('description.callingInput')}</li>
        <li>{words('description.callingLists')}</li>
        <li>{words('description.callingKey')}</li>
        <li>{words('description.callingErrors')}</li>
      </ul>
    </section>
  )
}

function CallEntry({
  call,
  components,
  base,
  isLinked,
}: {
  call: Call
  components: unknown
  base: string
  isLinked: boolean
}) {
  const words = useWords()
  const [isOpen, setIsOpen] = useState(isLinked)
  useEffect(() => {
    if (isLinked) setIsOpen(true)
  }, [isLinked])
  return (
    <details
      id={call.operationId}
      className={classes.call}
      open={isOpen}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary>
        <IconChevronRight size={16} stroke={2} aria-hidden className={classes.arrow} />
        <code className={classes.method} data-method={call.method}>
          {call.method}
        </code>
        <code className={classes.path}>{call.path}</code>
        <span className={classes.summary}>{call.summary}</span>
      </summary>
      {isOpen && (
        <div className={classes.detail}>
          <p className={classes.who}>
            <b>{words('description.who')}</b>{' '}
            {call['x-permission'] === 'everyone'
              ? words('description.everyone')
              : call['x-permission'] === 'signed-in'
                ? words('description.signedIn')
                : words('description.permission', {
                    permission: call['x-permission'],
                    levels: call['x-levels'].join(', '),
                  })}
            {' · '}
            {call['x-key-right'] === undefined
              ? words('description.noKey')
              : call['x-key-right'] === 'any'
                ? words('description.anyKey')
                : words('description.keyRight', { right: call['x-key-right'] })}
            <a
              href={`#${call.operationId}`}
              className={classes.link}
              aria-label={words('description.link', { name: call.operationId })}
            >
              <IconLink size={16} stroke={1.75} aria-hidden /> {call.operationId}
            </a>
          </p>
          <CallDetail call={withComponents(call, { components })} base={base} />
        </div>
      )}
    </details>
  )
}

function CallDetail({ call, base }: { call: Call; base: string }) {
  const words = useWords()
  const anything = words('description.anything')
  const [bodyType, body] = Object.entries(call.requestBody?.content ?? {})[0] ?? []
  const responses = Object.entries(call.responses)
  const errors = responses.filter(([status]) => status >= '400')
  const done = responses.filter(([each]) => each < '400')
  // Every call has an answer for success.
  const [status, answer] = done.find(([each]) => each !== '202') ?? done[0]!
  const [answerType, answered] = Object.entries(answer.content ?? {})[0] ?? []
  const isJson = answerType === 'application/json'
  return (
    <>
      {call.parameters.length > 0 && (
        <Fields
          title={words('description.parameters')}
          rows={call.parameters.map((each) => ({
            path: each.name,
            kind: `${kindOf(each.schema, anything)} · ${words(`description.in_${each.in}`)}`,
            about: [each.description, aboutOf(each.schema)].filter(Boolean).join(' · '),
            isRequired: each.required,
          }))}
        />
      )}
      {body && (
        <Fields
          title={
            bodyType === 'application/json'
              ? words('description.body')
              : words('description.bodyOf', { type: bodyType ?? '' })
          }
          rows={linesOf(body.schema, anything)}
        />
      )}
      <Fields
        title={
          !answered
            ? words('description.noAnswer', { status })
            : isJson
              ? `${words('description.answer', { status })} · ${kindOf(answered.schema, anything)}`
              : words('description.answerOf', { status, type: answerType ?? '' })
        }
        rows={answered && isJson ? linesOf(answered.schema, anything) : []}
      />
      <Fields
        title={words('description.errors')}
        rows={errors.map(([code, { description }]) => ({
          path: code,
          kind: '',
          about: description,
          isRequired: false,
        }))}
      />
      <Trying call={call} base={base} body={body?.schema} bodyType={bodyType} />
    </>
  )
}

function Fields({
  title,
  rows,
}: {
  title: string
  rows: readonly { path: string; kind: string; about: string; isRequired: boolean }[]
}) {
  const words = useWords()
  return (
    <>
      <h3 className={classes.heading}>{title}</h3>
      {rows.length > 0 && (
        <dl className={classes.fields}>
          {rows.map(({ path, kind, about, isRequired }) => (
            <div key={`${path} ${kind}`}>
              <dt>
                <code>{path}</code>
                {isRequired && <span className={classes.required}>{words('description.required')}</span>}
              </dt>
              <dd>
                {kind && <code className={classes.kind}>{kind}</code>}
                {about && <span>{about}</span>}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  )
}
