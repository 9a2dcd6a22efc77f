import { useState } from 'react'
import { Button } from '#web/ui/buttons.ts'
import { PasswordInput, Textarea, TextInput } from '#web/ui/inputs.ts'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { useAttempt } from '#web/ui/use-attempt.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './description.module.css'
import { addressOf, type Call, curlOf, filledExample, typescriptOf } from './examples.ts'
import type { Schema } from './schema.ts'

/** The key that was typed last, until the page is left: it is kept nowhere. */
let typedKey = ''
const longest = 20_000

interface Answered {
  status: number
  limit: string | null
  text: string
}

/** As the world would call: with the key, and without the cookie of whoever tries it. */
const send = async (address: string, method: string, key: string, body: string): Promise<Answered> => {
  const answer = await fetch(address, {
    method,
    credentials: 'omit',
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== '' && { 'content-type': 'application/json' }),
      ...(method !== 'GET' && { 'idempotency-key': crypto.randomUUID() }),
    },
    ...(body !== '' && { body }),
  })
  const isText = /json|text/.test(answer.headers.get('content-type') ?? '')
  const text = isText ? await answer.text() : ''
  const pretty = answer.headers.get('content-type')?.includes('json')
    ? JSON.stringify(JSON.parse(text), null, 2)
    : text
  return { status: answer.status, limit: answer.headers.get('ratelimit'), text: pretty.slice(0, longest) }
}

/** A call as curl and TypeScript, filled in, and what it answers to a key. */
export function Trying({
  call,
  base,
  body,
  bodyType,
}: {
  call: Call
  base: string
  body: Schema | undefined
  bodyType: string | undefined
}) {
  const words = useWords()
  const [filled, setFilled] = useState(() => filledExample(call, body))
  const [key, setKey] = useState(typedKey)
  const [answered, setAnswered] = useState<Answered>()
  const { problem, isRunning, attempt } = useAttempt()
  const fields = call.parameters.filter((each) => each.in !== 'header')
  const isTried = call['x-key-right'] !== undefined && (!bodyType || bodyType === 'application/json')
  const example = (title: string, text: string) => (
    <>
      <h3 className={classes.heading}>{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long example scrolls by keyboard too */}
      <pre className={classes.example} tabIndex={0}>
        {text}
      </pre>
    </>
  )
  return (
    <>
      {isTried && (
        <form
          className={classes.trying}
          onSubmit={(event) => {
            event.preventDefault()
            typedKey = key
            void attempt(async () =>
              setAnswered(await send(`${base}${addressOf(call, filled)}`, call.method, key, filled.body)),
            )
          }}
        >
          <h3 className={classes.heading}>{words('description.try')}</h3>
          <div className={classes.inputs}>
            <PasswordInput
              label={words('description.key')}
              description={words('description.keyHint')}
              value={key}
              required
              autoComplete="off"
              onChange={(event) => setKey(event.currentTarget.value)}
            />
            {fields.map(({ name, required }) => (
              <TextInput
                key={name}
                label={name}
                required={required}
                value={filled.values[name] ?? ''}
                onChange={(event) => {
                  const { value } = event.currentTarget
                  setFilled((now) => ({ ...now, values: { ...now.values, [name]: value } }))
                }}
              />
            ))}
          </div>
          {body && (
            <Textarea
              label={words('description.body')}
              autosize
              minRows={3}
              maxRows={16}
              classNames={{ input: classes.code ?? '' }}
              value={filled.body}
              onChange={(event) => {
                const { value } = event.currentTarget
                setFilled((now) => ({ ...now, body: value }))
              }}
            />
          )}
          <div>
            <Button type="submit" variant="default" loading={isRunning}>
              {words(call.method === 'GET' ? 'description.send' : 'description.sendChange')}
            </Button>
          </div>
          {problem && <PageMessage kind="error" text={problem} />}
          {answered && (
            <div role="status">
              {example(
                words('description.answered', { status: answered.status, limit: answered.limit ?? '–' }),
                answered.text || words('description.emptyAnswer'),
              )}
            </div>
          )}
        </form>
      )}
      {call['x-key-right'] !== undefined && (
        <>
          {example('curl', curlOf(call, base, filled, bodyType))}
          {(!bodyType || bodyType === 'application/json') &&
            example('TypeScript', typescriptOf(call, filled, bodyType))}
        </>
      )}
    </>
  )
}
