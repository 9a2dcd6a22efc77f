import pino, { type Logger } from 'pino'
import { plainError } from './plain-error.ts'

/** Structured logs: one JSON object a line, so that nothing a person types can forge a line; secrets are left out. */
export const createLog = (level: string): Logger =>
  pino({
    level,
    base: null,
    redact: [
      'req.headers.cookie',
      'req.headers.authorization',
      '*.Password',
      '*.password',
      '*.Token',
      '*.Code',
    ],
    serializers: {
      err: plainError,
      req: (request: { method: string; url: string; id: string }) => ({
        id: request.id,
        method: request.method,
        url: request.url.split('?')[0],
      }),
    },
  })
