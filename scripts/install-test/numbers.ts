import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { SetupError } from '../lib/process.mjs'
import { mustBe } from './package.ts'

const people = ['admin', 'coordinator', 'faculty', 'student']
const demoPassword = 'Bluebird-42-harbor'
const port = 18_093
const api = `http://127.0.0.1:${port}/new/api`
/** How long a hundred people work, each with a call a second. */
const workSeconds = 30

const memoryOf = ({ pid }: ChildProcess): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

const isReady = (): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )

/** A person who is signed in looks at what the level opens first, a call a second. */
const work = async (userName: string, until: number): Promise<number> => {
  const signedIn = await fetch(`${api}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ UserName: userName, Password: demoPassword }),
  })
  const headers = {
    cookie: signedIn.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; '),
  }
  const { ProgramId } = (await (await fetch(`${api}/state`, { headers })).json()) as { ProgramId: number }
  const paths = [
    '/state',
    '/auth/session',
    `/programs/${ProgramId}/documents/library`,
    `/programs/${ProgramId}/news`,
  ]
  let answers = 0
  while (Date.now() < until) {
    const { status } = await fetch(`${api}${paths[answers % paths.length]}`, { headers })
    if (status >= 500) throw new SetupError(`A call of ${userName} answered ${status}.`)
    answers++
    await pause(1_000)
  }
  return answers
}

/** How large a release is, how long its starts take, and what memory the process needs, with everything in one process. */
export const measure = async (release: string): Promise<void> => {
  console.log('\nNumbers')
  const tarball = readdirSync(release).find((name) => /^practicum-[\d.]+-linux-\w+\.tar\.gz$/.test(name))
  if (!tarball) throw new SetupError('There is nothing to measure: run "npm run release" first.')
  const megabytes = statSync(join(release, tarball)).size / 1e6
  mustBe(megabytes <= 150, `the package has ${megabytes.toFixed(0)} MB, at most 150`)
  const folder = mkdtempSync(join(tmpdir(), 'practicum-numbers-'))
  // PostgreSQL does not run as root, and its user has to pass.
  chmodSync(folder, 0o711)
  const practicum = join(folder, tarball.replace('.tar.gz', ''), 'bin/practicum')
  mkdirSync(join(folder, 'data'))
  spawnSync('tar', ['xzf', join(release, tarball), '-C', folder])
  const start = async (
    env: Record<string, string> = {},
  ): Promise<{ child: ChildProcess; seconds: number }> => {
    const began = Date.now()
    const child = spawn(practicum, ['start'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DATA_DIR: join(folder, 'data'), PORT: String(port), DEMO: '1', ...env },
    })
    while (!(await isReady())) {
      if (child.exitCode !== null)
        throw new SetupError('Practicum does not start: start it by hand and read why.')
      await pause(20)
    }
    return { child, seconds: (Date.now() - began) / 1000 }
  }
  const stop = async (child: ChildProcess): Promise<void> => {
    child.kill()
    await once(child, 'exit')
  }
  try {
    const first = await start()
    await stop(first.child)
    const cold = await start()
    await stop(cold.child)
    const { child, seconds } = await start()
    console.log(`  first start, with the demo: ${first.seconds.toFixed(1)} s`)
    console.log(
      `  start without compiled code: ${cold.seconds.toFixed(1)} s, with it: ${seconds.toFixed(1)} s`,
    )
    await pause(30_000)
    console.log(`  memory at rest: ${memoryOf(child).toFixed(0)} MiB`)
    let most = 0
    const watch = setInterval(() => {
      most = Math.max(most, memoryOf(child))
    }, 200)
    const until = Date.now() + workSeconds * 1_000
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => work(people[index % people.length] ?? '', until)),
    )
    clearInterval(watch)
    await stop(child)
    console.log(
      `  ${answers.reduce((sum, each) => sum + each)} answers to a hundred people in ${workSeconds} s`,
    )
    mustBe(most <= 200, `with a hundred people the process holds ${most.toFixed(0)} MiB, at most 200`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
