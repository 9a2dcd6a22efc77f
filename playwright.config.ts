import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'

/** They start what they need themselves, and so share no worker with the others. */
const withoutInstallation = ['offline.spec.ts', 'push.spec.ts', 'stop.spec.ts']

/** What Playwright turns off for itself: Chromium reads the last list only. */
const withoutForPlaywright = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'BoundaryEventDispatchTracksNodeRemoval',
  'DestroyProfileOnBrowserClose',
  'DialMediaRouteProvider',
  'GlobalMediaControls',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'Translate',
  'AutoDeElevate',
  'RenderDocument',
  'OptimizationHints',
]

/** Journeys: people in real browsers at real installations with the demo in them. */
export default defineConfig({
  testDir: 'journeys',
  // The longest file is among the first: at the end the others had nothing left to do beside it for a minute.
  projects: [
    { name: 'phones', testMatch: withoutInstallation },
    { name: 'pages', testMatch: '*.spec.ts', testIgnore: withoutInstallation },
  ],
  globalSetup: './journeys/start.ts',
  // Each worker has an installation of its own (`support.ts`): the journeys of one file never see another's half way.
  // One more than there are cores, since a journey also waits.
  workers: Math.min(3, availableParallelism() + 1),
  // Only what hangs is ended by it: a long journey on a busy machine takes several times its twenty seconds.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  retries: process.env.CI ? 1 : 0,
  outputDir: 'test-results',
  use: {
    browserName: 'chromium',
    // What cannot be pressed within this is not there: a journey does not wait out its own end for it.
    actionTimeout: 30_000,
    navigationTimeout: 60_000,
    viewport: { width: 1280, height: 800 },
    // Requests that a service worker makes pass by `page.route`; `offline.spec.ts` has the browsers in which it works.
    serviceWorkers: 'block',
    locale: 'en-US',
    timezoneId: 'America/New_York',
    screenshot: 'only-on-failure',
    // Recording everything costs a third of the processor; a second try is the one worth a recording.
    trace: 'on-first-retry',
    // Transitions would only be waited for.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      ...(process.env.CHROMIUM_PATH && { executablePath: process.env.CHROMIUM_PATH }),
      args: [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // Compiling a file while it loads compiles it again for each page; the whole file is known already to the pages before.
        `--disable-features=${[...withoutForPlaywright, 'ScriptStreaming']}`,
        // A page lives for seconds here: compiling it a second and a third time, to run faster for hours, only costs.
        // And code that is not called for a while is called again by the next page.
        '--js-flags=--no-maglev,--no-turbofan,--no-flush-bytecode',
      ],
    },
  },
})
