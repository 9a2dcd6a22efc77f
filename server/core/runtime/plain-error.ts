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
