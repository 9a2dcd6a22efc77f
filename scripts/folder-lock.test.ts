import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

/** A copy of the scripts beside a folder of packages of its own: the lock is that of the folder they are in. */
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'practicum-folder-'))
  mkdirSync(join(folder, 'scripts', 'lib'), { recursive: true })
  for (const name of ['folder-lock.mjs', 'process.mjs'])
    cpSync(join(import.meta.dirname, 'lib', name), join(folder, 'scripts', 'lib', name))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a program that knows the lock; it says each word on a line of its own. */
const start = (program: string) => {
  const file = join(folder, 'scripts', `${Math.random()}.mjs`)
  writeFileSync(
    file,
    `import { existsSync, writeFileSync } from 'node:fs'
     import { markInUse, whileUnused } from './lib/folder-lock.mjs'
     const isDone = () => existsSync(${JSON.stringify(join(folder, 'done'))})
     const finish = () => writeFileSync(${JSON.stringify(join(folder, 'done'))}, '')
     const told = () => new Promise((resolve) => process.stdin.once('data', resolve))
     const say = (word) => process.stdout.write(word + '\\n')
     ${program}`,
  )
  const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'pipe'] })
  let said = ''
  child.stdout.on('data', (part) => {
    said += part
  })
  child.stderr.on('data', (part) => {
    said += part
  })
  const ended = once(child, 'close')
  return {
    child,
    said: () => said,
    hears: async (word: string) => {
      while (!said.includes(word)) await once(child.stdout, 'data')
    },
    ended: async () => {
      await ended
      return said
    },
  }
}
const running = "markInUse(); say('runs'); await told(); process.exit()"
const install =
  "await whileUnused(isDone, async () => { say('installs'); await told(); finish() }); say('goes on'); process.exit()"

test('nothing is installed below a process that runs, and a killed one is in nobody’s way', async () => {
  const server = start(running)
  await server.hears('runs')
  expect(await start(install).ended()).toMatch(
    new RegExp(
      `process ${server.child.pid} runs Practicum from this folder: nothing was changed; stop it first`,
    ),
  )
  expect(existsSync(join(folder, 'done'))).toBe(false)
  server.child.kill('SIGKILL')
  await server.ended()
  const installer = start(install)
  await installer.hears('installs')
  installer.child.stdin.write('go')
  expect(await installer.ended()).toBe('installs\ngoes on\n')
  expect(readdirSync(join(folder, '.practicum'))).toEqual([])
})

test('of two that install at once the second waits for the first, and finds nothing left to do', async () => {
  const first = start(install)
  await first.hears('installs')
  const second = start(`say('asks'); ${install}`)
  await second.hears('asks')
  first.child.stdin.write('go')
  expect(await first.ended()).toContain('goes on')
  expect(await second.ended()).toBe('asks\ngoes on\n')
})

test('an installation that was killed is taken over', async () => {
  const first = start(install)
  await first.hears('installs')
  first.child.kill('SIGKILL')
  await first.ended()
  const second = start(install)
  await second.hears('installs')
  second.child.kill('SIGKILL')
  await second.ended()
  // As a kill leaves it before it has said who it is.
  rmSync(join(folder, '.practicum', 'installing', 'pid'))
  const before = new Date(Date.now() - 60_000)
  utimesSync(join(folder, '.practicum', 'installing'), before, before)
  const third = start(install)
  await third.hears('installs')
  third.child.stdin.write('go')
  expect(await third.ended()).toBe('installs\ngoes on\n')
})
