import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { findNode } from './install.mjs'
import { root, run } from './process.mjs'

/**
 * Finds a Chromium for the journeys, or gets one: by the package manager of Debian when that is allowed, else by
 * Playwright.
 *
 * @returns {Promise<{ path?: string }>} `path` is absent when Playwright brings its own
 */
export async function ensureBrowser() {
  const found = findBrowser()
  if (found) return { path: found }
  console.log('Installing a browser …')
  if (existsSync('/etc/debian_version') && process.getuid?.() === 0) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    await run('apt-get', ['update', '-q'], { env })
    await run('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'chromium'], { env })
    const installed = findBrowser()
    if (installed) return { path: installed }
  }
  await run(findNode(), [join(root, 'node_modules', '@playwright', 'test', 'cli.js'), 'install', 'chromium'])
  return {}
}

function findBrowser() {
  const { CHROMIUM_PATH, PROGRAMFILES, LOCALAPPDATA } = process.env
  const windows = [PROGRAMFILES, process.env['PROGRAMFILES(X86)'], LOCALAPPDATA].flatMap((folder) =>
    folder ? [join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe')] : [],
  )
  const mac = ['/Applications', join(homedir(), 'Applications')].flatMap((folder) => [
    join(folder, 'Google Chrome.app', 'Contents', 'MacOS', 'Google Chrome'),
    join(folder, 'Chromium.app', 'Contents', 'MacOS', 'Chromium'),
  ])
  const linux = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
  return [CHROMIUM_PATH, ...linux, ...mac, ...windows].find((path) => path && existsSync(path))
}
