import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAreas } from '#contract/areas/areas.ts'
import { Level } from '#contract/core/levels.ts'
import { makePerson, makeProgram } from '#server/test/factories.ts'
import { type Installation, startInstallation } from '#server/test/installation.ts'
import { startTracing } from './tracing.ts'

interface SentSpan {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
  status: { code?: number }
}

let installation: Installation
let collector: Server
const received: { path: string; spans: SentSpan[] }[] = []

beforeAll(async () => {
  collector = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString())
    received.push({
      path: request.url!,
      spans: resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: SentSpan[] }[] }) =>
        scopeSpans.flatMap(({ spans }) => spans),
      ),
    })
    response.setHeader('content-type', 'application/json').end('{}')
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  installation = await startInstallation()
})
afterAll(async () => {
  await installation?.stop()
  collector.close()
})

const attribute = ({ attributes }: SentSpan, name: string) =>
  Object.values(attributes.find(({ key }) => key === name)?.value ?? {})[0]

test('a call is a trace with its statements below it, part of the trace that it was made in', async () => {
  const { port } = collector.address() as AddressInfo
  const tracing = await startTracing(`http://127.0.0.1:${port}`, '1.2.3')
  installation.services.tracing = tracing
  const program = await makeProgram(installation.owner)
  const coordinator = await installation.as(await makePerson(installation.owner, Level.Coord, { program }))
  const traceId = 'a'.repeat(32)
  const headers = { traceparent: `00-${traceId}-${'b'.repeat(16)}-01` }
  await coordinator.ok(listAreas, { params: { programId: program.Id } }, { headers })
  const refused = await coordinator.call(listAreas, { params: { programId: program.Id + 1 } }, { headers })
  expect(refused.status).toBe(404)
  await tracing.stop()
  installation.services.tracing = undefined
  expect(received.map(({ path }) => path)).toEqual(['/v1/traces'])
  const { spans } = received[0]!
  expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([traceId]))
  const calls = spans.filter(({ name }) => name === 'GET /programs/:programId/areas')
  expect(
    calls.map((span) => [
      span.parentSpanId,
      attribute(span, 'http.response.status_code'),
      span.status.code ?? 0,
    ]),
  ).toEqual([
    ['b'.repeat(16), 200, 0],
    ['b'.repeat(16), 404, 2],
  ])
  const statements = spans.filter(({ parentSpanId }) => parentSpanId === calls[0]!.spanId)
  expect(statements.map(({ name }) => name)).toEqual([expect.stringMatching(/^select [a-z_]+ [0-9a-f]{6}$/)])
  expect(attribute(statements[0]!, 'db.query.text')).toContain('from "area"')
})
