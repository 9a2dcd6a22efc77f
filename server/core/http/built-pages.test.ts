import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { openPagesOf } from './built-pages.ts'

test('a build made beneath the server takes over, and until it is whole the pages before it stay', () => {
  const dist = mkdtempSync(join(tmpdir(), 'practicum-built-pages-'))
  const build = (version: string, at: number) => {
    const announced = { scripts: [`assets/app-${version}.js`], styles: [], reads: [] }
    const files = {
      'index.html': `<html lang="en"><head></head><body><script src="./assets/main-${version}.js"></script></body></html>`,
      'pages.json': JSON.stringify({
        fonts: [],
        afterwards: ['assets/offline.js'],
        login: announced,
        pages: [{ address: '', ...announced }],
      }),
      'manifest.webmanifest': '{}',
      'sw.js': version,
    }
    mkdirSync(dist, { recursive: true })
    for (const [name, text] of Object.entries(files)) writeFileSync(join(dist, name), text)
    utimesSync(join(dist, 'sw.js'), at, at)
  }
  vi.useFakeTimers()
  try {
    expect(openPagesOf('', dist)).toBeUndefined()
    build('one', 1_000)
    const pages = openPagesOf('/college', dist)!
    const shown = () => {
      vi.advanceTimersByTime(1_000)
      const { htmlOf, shellOf, worker } = pages()
      const scripts = [htmlOf('/clock', 'en'), shellOf('en')].map((html) => /main-\w+/.exec(html)?.[0])
      return [...scripts, worker.toString()].join(' ')
    }
    expect(shown()).toBe('main-one main-one one')
    expect(pages().htmlOf('/clock', 'es')).toContain('"/college/new/assets/es/main-one.js"')
    const afterwards = (path: string, language: 'en' | 'es') =>
      /<meta name="afterwards" content="([^"]+)">/.exec(pages().htmlOf(path, language))?.[1]
    expect(afterwards('/clock', 'en')).toBe('/college/new/assets/offline.js')
    expect(afterwards('/clock', 'es')).toBe('/college/new/assets/es/offline.js')
    expect(afterwards('/login', 'en')).toBeUndefined()
    rmSync(dist, { recursive: true })
    expect(shown()).toBe('main-one main-one one')
    build('two', 2_000)
    rmSync(join(dist, 'pages.json'))
    expect(shown()).toBe('main-one main-one one')
    writeFileSync(join(dist, 'pages.json'), '{"fonts":')
    expect(shown()).toBe('main-one main-one one')
    build('two', 2_000)
    expect(shown()).toBe('main-two main-two two')
  } finally {
    vi.useRealTimers()
    rmSync(dist, { recursive: true, force: true })
  }
})
