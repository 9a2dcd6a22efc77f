import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { findNode } from './install.mjs'
import { root, run } from './process.mjs'

const shell = '/usr/bin/chromium-headless-shell'

/**
 * Finds a Chromium for the journeys, or gets one: by the package manager of Debian when that is allowed, else by
 * Playwright. Where there is a choice it is the headless shell: the same engine without the windows that nobody sees, for
 * three quarters of the processor.
 *
 * @returns {Promise<{ path?: string }>} `path` is absent when Playwright brings its own
 */
export async function ensureBrowser() {
  const found = findBrowser()
  const isDebian = existsSync('/etc/debian_version') && process.getuid?.() === 0
  const isBest = found !== undefined && (!isDebian || found === shell || found === process.env.CHROMIUM_PATH)
  if (isBest) return { path: found }
  console.log('Installing a browser …')
  if (isDebian) {
    const path = (await installPackage('chromium-headless-shell')) ?? (await installPackage('chromium'))
    if (path) return { path }
  }
  const playwright = join(root, 'node_modules', '@playwright', 'test', 'cli.js')
  await run(findNode(), [playwright, 'install', '--only-shell', 'chromium'])
  return {}
}

async function installPackage(name) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const withoutWaiting = ['-q', '-o', 'Acquire::Retries=1', '-o', 'Acquire::http::Timeout=20']
  await run('apt-get', ['update', ...withoutWaiting], { env })
  await run('apt-get', ['install', '-y', ...withoutWaiting, '--no-install-recommends', name], { env })
  return findBrowser()
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
  const linux = [shell, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
  return [CHROMIUM_PATH, ...linux, ...mac, ...windows].find((path) => path && existsSync(path))
}
