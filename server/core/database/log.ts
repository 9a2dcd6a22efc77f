/** What the database code says while it works. A pino logger fits. */
export type Log = {
  info(message: string): void
  warn(message: string): void
  error(message: string): void
}
