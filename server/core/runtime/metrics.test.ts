import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeRow } from '#server/test/factories.ts'
import { type Installation, startInstallation } from '#server/test/installation.ts'
import { metrics } from './metrics.ts'

let installation: Installation
beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation?.stop())

const figures = async (): Promise<Map<string, number>> => {
  const text = await (await fetch(`${installation.url}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line && !line.startsWith('#'))
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]))
}

test('what waits is told with its age: jobs, emails, connections', async () => {
  const { owner } = installation
  await owner.query(
    "select graphile_worker.add_job('test:late', '{}', run_at => now() - interval '90 seconds')",
  )
  await owner.query("select graphile_worker.add_job('test:later', '{}', run_at => now() + interval '1 day')")
  await owner.query(
    `insert into mail (label, recipient, subject, html, send_after) values
      ('OTHER_test', 'a@example.edu', '', '', now() - interval '200 seconds'),
      ('OTHER_test', 'b@example.edu', '', '', now() + interval '1 day')`,
  )
  const told = await figures()
  expect(told.get('practicum_database_up')).toBe(1)
  expect(told.get('practicum_jobs{state="due"}')).toBe(1)
  expect(told.get('practicum_job_age_seconds')).toBeGreaterThanOrEqual(90)
  expect(told.get('practicum_emails_due')).toBe(1)
  expect(told.get('practicum_email_age_seconds')).toBeGreaterThanOrEqual(200)
  expect(told.get('practicum_pool_connections{pool="others",state="open"}')).toBeGreaterThan(0)
  expect(told.get('practicum_pool_waiting{pool="calls"}')).toBe(0)
  expect(told.get('practicum_heavy_calls{state="running"}')).toBe(0)
})

test('outside parts that fail are counted by kind, and what works again is not', async () => {
  const { owner } = installation
  const failing = async (part: string) => (await figures()).get(`practicum_outside_failing{part="${part}"}`)
  const provider = await makeRow(owner, 'saml_provider', {
    kind: 'lti',
    name: 'LMS of figures',
    entity_id: 'https://lms.example',
    client_id: 'client',
    auth_url: 'https://lms.example/auth',
    keys_url: 'https://lms.example/keys',
  })
  expect(await Promise.all(['lti', 'oidc', 'email', 'push'].map(failing))).toEqual([0, 0, 0, 0])
  await makeRow(owner, 'college_connection_state', {
    provider_id: provider.id,
    last_error_at: new Date().toISOString(),
    last_error: 'The key set answered 503.',
  })
  await makeRow(owner, 'mail', {
    label: 'INBOX_weekly',
    recipient: 'a@example.edu',
    subject: '',
    html: '',
    status: 4,
  })
  expect([await failing('lti'), await failing('inbox email'), await failing('email')]).toEqual([1, 1, 0])
  await owner.query("update college_connection_state set last_success_at = now() + interval '1 second'")
  expect(await failing('lti')).toBe(0)
})

test('the dashboard and the alerts name only figures that are told', async () => {
  metrics.slowStatement('select area 0a1b2c', 300)
  metrics.report('primary')
  metrics.webhook('failed')
  metrics.collegeSignIn('saml', 'invalid')
  metrics.ltiRegistration('refused')
  metrics.scimCall('GET', 200)
  metrics.apiKey('admitted')
  metrics.virusScan('clean')
  // Told only where there is a replica, and only with https.
  const told = ['practicum_replica_lag_seconds', 'practicum_tls_days_left', ...(await figures()).keys()].map(
    (line) => line.split('{')[0]!,
  )
  const folder = join(import.meta.dirname, '..', '..', '..', 'docs', 'monitoring')
  const asked = ['grafana-dashboard.json', 'alerts.yml'].flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/\b(?:practicum|nodejs|process)_[a-z0-9_]+/g)].map(
      ([name]) => name,
    ),
  )
  expect(asked.length).toBeGreaterThan(20)
  expect([...new Set(asked)].filter((name) => !told.includes(name))).toEqual([])
})
