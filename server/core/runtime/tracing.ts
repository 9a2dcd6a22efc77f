import type { Span, SpanContext } from '@opentelemetry/api'
import { type StatementWatch, statementName } from '#server/core/database/statements.ts'

/** One piece of work in a trace: a call or a job, with its statements below it. */
export interface Trace extends StatementWatch {
  /** `failure`: what it ended with when it went wrong. */
  end(attributes?: Record<string, string | number>, failure?: unknown): void
}

/** Traces for OpenTelemetry. */
export interface Tracing {
  /** @param parent the `traceparent` header that a caller's own trace sent along */
  begin(
    kind: 'call' | 'job',
    name: string,
    attributes: Record<string, string | number>,
    parent?: string,
  ): Trace
  /** Sends what has not been sent yet. */
  stop(): Promise<void>
}

/** As W3C Trace Context writes it: version, trace, span, flags. */
const parentPattern = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})/
const parentOf = (header: string | undefined): SpanContext | undefined => {
  const [, traceId, spanId, flags] = parentPattern.exec(header ?? '') ?? []
  if (!traceId || !spanId) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags ?? '0', 16), isRemote: true }
}

/** Where a collector takes traces, from the address that is set for it. */
export const tracesAddress = (url: string): string => new URL('v1/traces', url.replace(/\/*$/, '/')).href

/** Headers as OpenTelemetry's variable has them: `name=value` with commas between, percent-encoded. */
export const headersOf = (text = ''): Record<string, string> =>
  Object.fromEntries(
    text
      .split(',')
      .filter((pair) => pair.includes('='))
      .map((pair) => {
        const at = pair.indexOf('=')
        return [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())]
      }),
  )

/**
 * Starts sending traces by OTLP over HTTP; what else OpenTelemetry's variables say of batches and sampling counts as well.
 * The library is loaded only here: an installation without a collector has nothing of it in its memory.
 *
 * @param url of the collector, `OTEL_EXPORTER_OTLP_ENDPOINT`
 */
export const startTracing = async (
  url: string,
  version: string,
  headers: Record<string, string> = {},
): Promise<Tracing> => {
  const [
    { context, SpanKind, SpanStatusCode, trace },
    sdk,
    { defaultResource, resourceFromAttributes },
    exporter,
  ] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ])
  const provider = new sdk.TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({
        'service.name': process.env.OTEL_SERVICE_NAME ?? 'practicum',
        'service.version': version,
      }),
    ),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: new exporter.OTLPTraceExporter({
          url: tracesAddress(url),
          headers,
        }),
      }),
    ],
  })
  const tracer = provider.getTracer('practicum', version)
  const finish = (span: Span, failure: unknown): void => {
    if (failure !== undefined) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      // Its message may hold what people typed; its kind tells enough.
      span.setAttribute('error.type', (failure as Error).name ?? 'Error')
    }
    span.end()
  }
  return {
    begin: (kind, name, attributes, header) => {
      const parent = parentOf(header)
      const base = parent ? trace.setSpanContext(context.active(), parent) : context.active()
      const span = tracer.startSpan(
        name,
        { kind: kind === 'call' ? SpanKind.SERVER : SpanKind.CONSUMER, attributes },
        base,
      )
      const own = trace.setSpan(base, span)
      return {
        ended: (text, milliseconds) => {
          const endTime = Date.now()
          tracer
            .startSpan(
              statementName(text),
              {
                kind: SpanKind.CLIENT,
                startTime: endTime - milliseconds,
                attributes: { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, 4_000) },
              },
              own,
            )
            .end(endTime)
        },
        end: (more = {}, failure) => {
          span.setAttributes(more)
          finish(span, failure)
        },
      }
    },
    stop: () => provider.shutdown(),
  }
}
