/** A Chromium for journeys and pictures; `path` is absent when Playwright brings its own. */
export function ensureBrowser(): Promise<{ path?: string }>
