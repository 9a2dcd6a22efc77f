import pino, { type Logger } from 'pino'

/**
 * An error without what people sent: the database quotes values in its details, and parsers quote the text they stumble
 * over. Where it happened and what the database calls it tell enough.
 */
export const plainError = (error: Error & Record<string, unknown>): Record<string, unknown> => {
  const { name, message = '', stack = '', code, severity, schema, table, column, constraint, routine } = error
  const isDatabase = severity !== undefined
  // Names of tables and columns are quoted too: only errors about values hold any.
  const mayQuote = isDatabase ? /^2[23]/.test(String(code)) : error instanceof SyntaxError
  return {
    type: name,
    message: mayQuote ? message.replace(/:? *["'`].*$/s, ' …') : message,
    stack: stack
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
      .join('\n'),
    ...Object.fromEntries(
      Object.entries({ code, severity, schema, table, column, constraint, routine }).filter(
        ([, value]) => value !== undefined,
      ),
    ),
    ...(error.cause instanceof Error && { cause: plainError(error.cause as typeof error) }),
  }
}

/**
 * Tells whoever has started the program, whatever the level of the log: in words at a terminal, else as lines of the log.
 */
export const tell = (lines: readonly string[]): void => {
  const isTerminal = process.stdout.isTTY === true
  for (const line of lines)
    process.stdout.write(
      isTerminal ? `  ${line}\n` : `${JSON.stringify({ level: 30, time: Date.now(), msg: line })}\n`,
    )
}

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
