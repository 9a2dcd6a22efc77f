import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'

const registry = new Registry()
collectDefaultMetrics({ register: registry })

const seconds = new Histogram({
  name: 'practicum_request_seconds',
  help: 'Time to answer a request, by route and status.',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [registry],
})

/** The figures of `/metrics`, in the text format of Prometheus. */
export const metrics = {
  observe: (method: string, route: string, status: number, milliseconds: number): void =>
    seconds.observe({ method, route, status: String(status) }, milliseconds / 1000),
  text: (): Promise<string> => registry.metrics(),
}
