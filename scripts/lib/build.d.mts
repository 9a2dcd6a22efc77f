/** Builds the web pages when a source changed since the last complete build. */
export function ensureBuilt(): Promise<void>
