import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { Client } from 'pg'
import { Level } from '#contract/core/levels.ts'
import { startEmbedded } from '#server/core/database/embedded.ts'
import { makeRelease, type Release } from './releases.ts'
import { startServed } from './served.ts'

const quiet = { info: () => {}, warn: () => {}, error: () => {} }
const prepare = 'server/core/database/prepare.fixture.ts'
const people = 30
const badges = 3_000
/** More than a small disk has room for. */
const manyBadges = 30_000

/** Migrations as a release may have them: tables grow, rows are made and changed, an index is built. */
const laterMigrations = (badges: number) => ({
  '1001-badges.sql': `alter table account add column nickname text;
    create table badge (account_id bigint not null references account, number integer not null, primary key (account_id, number));`,
  '1002-fill.sql': `insert into badge select a.id, n from account a, generate_series(1, ${badges}) n;
    update account set nickname = lower(first_name);`,
  '1003-index.sql':
    'create index badge_number on badge (number); alter table account alter column nickname set not null;',
})

/** Numbers that look random and are the same again. */
const randomOf = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

const ask = async (url: string, ...statements: string[]): Promise<Record<string, unknown>[]> => {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    const rows: Record<string, unknown>[] = []
    for (const sql of statements) rows.push(...(await client.query(sql)).rows)
    return rows
  } finally {
    await client.end()
  }
}

const sumOfPeople = `select count(*)::integer as people, md5(string_agg(concat_ws(' ', id, user_name, last_name), ',' order by id)) as sum from account`
const addPeople = `insert into account (user_name, access_level, email, first_name, last_name)
  select 'person' || n, ${Level.SuperAdmin}, 'person' || n || '@example.org', 'First' || n, 'Last' || n from generate_series(1, ${people}) n`

/** What is wrong after an update that was killed and begun again; nothing when all is well. */
const problemsOf = async (url: string, before: unknown, each = badges): Promise<string[]> => {
  const problems: string[] = []
  const [now] = await ask(url, sumOfPeople)
  if (JSON.stringify(now) !== JSON.stringify(before)) problems.push('people are not as they were')
  const [made] = await ask(
    url,
    `select (select count(*) from badge)::integer as badges, (select count(*) from account where nickname is null)::integer as bare,
       (select count(*) from migration where id > 1000)::integer as migrations`,
  )
  const expected = { badges: people * each, bare: 0, migrations: 3 }
  if (JSON.stringify(made) !== JSON.stringify(expected)) problems.push(`made ${JSON.stringify(made)}`)
  return problems
}

export interface KillOptions {
  folder: string
  moments: number
  seed: number
  tell?: (line: string) => void
}

type Command = readonly [file: string, ...words: string[]]
const updating: Command = [prepare]
const goingBack: Command = ['scripts/admin.ts', 'go-back']

/** Runs a command to its end, or kills it after a time. */
const runOrKill = async (
  { folder, run }: Release,
  [file, ...words]: Command,
  env: Record<string, string>,
  killAfterMs?: number,
): Promise<{ tookMs: number; code: number | null; said: string }> => {
  const began = performance.now()
  if (killAfterMs === undefined) {
    const { code, said } = await run(file, words, env)
    return { tookMs: performance.now() - began, code, said }
  }
  const child = spawn(process.execPath, [join(folder, file), ...words], {
    cwd: folder,
    env: { ...process.env, DATABASE_URL: '', SECRET_KEY: '', FILES_URL: '', ...env },
    stdio: 'ignore',
  })
  const ended = once(child, 'close')
  await Promise.race([after(killAfterMs, undefined, { ref: false }), ended])
  child.kill('SIGKILL')
  await ended
  return { tookMs: performance.now() - began, code: child.exitCode, said: '' }
}

const releasesIn = (folder: string, each = badges) => ({
  older: makeRelease(join(folder, 'older')),
  newer: makeRelease(join(folder, 'newer'), laterMigrations(each)),
})

/** A share of the time that an update takes, past what loads the program. */
const momentOf = (random: () => number, tookMs: number): number => Math.round((0.1 + 0.9 * random()) * tookMs)

/** An embedded installation with people and a file, and how to get a copy of it. */
const makeEmbedded = async (folder: string) => {
  const { older, newer } = releasesIn(folder)
  const made = join(folder, 'made')
  const { code, said } = await older.run(prepare, [], { DATA_DIR: made })
  if (code !== 0) throw new Error(said)
  const database = await startEmbedded({ dataDir: made, log: quiet })
  const [before] = await ask(database.ownerUrl, addPeople, sumOfPeople)
  await database.stop()
  mkdirSync(join(made, 'files', 'ab'), { recursive: true })
  writeFileSync(join(made, 'files', 'ab', 'cd'), 'a file')
  const copyOf = (from: string, name: string): string => {
    const dataDir = join(folder, name)
    cpSync(from, dataDir, { recursive: true, filter: (path) => !path.startsWith(join(from, 'socket')) })
    return dataDir
  }
  return { older, newer, before, copy: (name: string) => copyOf(made, name), copyOf }
}

/** Kills updates of an embedded installation at random moments, and starts each again. */
export const killEmbedded = async ({ folder, moments, seed, tell }: KillOptions): Promise<string[]> => {
  const { newer, before, copy } = await makeEmbedded(folder)
  const random = randomOf(seed)
  const { tookMs } = await runOrKill(newer, updating, { DATA_DIR: copy('whole') })
  const problems: string[] = []
  for (let moment = 1; moment <= moments; moment++) {
    const dataDir = copy(`killed-${moment}`)
    const at = momentOf(random, tookMs)
    await runOrKill(newer, updating, { DATA_DIR: dataDir }, at)
    const { code, said } = await runOrKill(newer, updating, { DATA_DIR: dataDir })
    const found = code === 0 ? [] : [`did not start again (${said})`]
    if (code === 0) {
      const again = await startEmbedded({ dataDir, log: quiet })
      found.push(...(await problemsOf(again.ownerUrl, before)))
      await again.stop()
      const left = readdirSync(join(dataDir, 'backups')).filter((name) => !/^before-.*\.tar$/.test(name))
      if (left.length > 0) found.push(`left ${left}`)
    }
    tell?.(`embedded, killed after ${at} of ${Math.round(tookMs)} ms: ${found.join(', ') || 'whole'}`)
    problems.push(...found.map((problem) => `embedded, killed after ${at} ms: ${problem}`))
    rmSync(dataDir, { recursive: true, force: true })
  }
  return problems
}

/** Kills going back at random moments, and runs it again. */
export const killGoingBack = async ({ folder, moments, seed, tell }: KillOptions): Promise<string[]> => {
  const { older, newer, before, copy, copyOf } = await makeEmbedded(folder)
  const updated = copy('updated')
  await runOrKill(newer, updating, { DATA_DIR: updated })
  const random = randomOf(seed)
  const { tookMs } = await runOrKill(older, goingBack, { DATA_DIR: copyOf(updated, 'whole') })
  const problems: string[] = []
  for (let moment = 1; moment <= moments; moment++) {
    const dataDir = copyOf(updated, `back-${moment}`)
    const at = momentOf(random, tookMs)
    await runOrKill(older, goingBack, { DATA_DIR: dataDir }, at)
    const again = await runOrKill(older, goingBack, { DATA_DIR: dataDir })
    const started = await runOrKill(older, updating, { DATA_DIR: dataDir })
    const found = started.code === 0 ? [] : [`does not start (${again.said} ${started.said})`]
    if (started.code === 0) {
      const database = await startEmbedded({ dataDir, log: quiet })
      const [now] = await ask(database.ownerUrl, sumOfPeople)
      if (JSON.stringify(now) !== JSON.stringify(before)) found.push('people are not as they were')
      await database.stop()
      if (!existsSync(join(dataDir, 'files', 'ab', 'cd'))) found.push('the file is gone')
      if (readdirSync(join(dataDir, 'backups')).length !== 1) found.push('the backup is gone')
    }
    tell?.(`going back, killed after ${at} of ${Math.round(tookMs)} ms: ${found.join(', ') || 'whole'}`)
    problems.push(...found.map((problem) => `going back, killed after ${at} ms: ${problem}`))
    rmSync(dataDir, { recursive: true, force: true })
  }
  return problems
}

/** The same on a database of its own, whose server goes on. */
export const killServed = async ({ folder, moments, seed, tell }: KillOptions): Promise<string[]> => {
  const { older, newer } = releasesIn(folder)
  mkdirSync(join(folder, 'server'), { recursive: true })
  const { database, owner } = await startServed(join(folder, 'server'))
  const urlOf = (name: string): string => database.ownerUrl.replace('/practicum?', `/${name}?`)
  const envOf = (name: string) => ({
    DATABASE_URL: urlOf(name),
    SECRET_KEY: 'one key for all processes, long enough to be one',
    DATA_DIR: join(folder, 'unused'),
  })
  try {
    await owner.query('create database made template template0')
    const prepared = await older.run(prepare, [], envOf('made'))
    if (prepared.code !== 0) return [prepared.said]
    const [before] = await ask(urlOf('made'), addPeople, sumOfPeople)
    const random = randomOf(seed)
    await owner.query('create database whole template made')
    const { tookMs } = await runOrKill(newer, updating, envOf('whole'))
    const problems: string[] = []
    for (let moment = 1; moment <= moments; moment++) {
      const name = `killed_${moment}`
      await owner.query(`create database ${name} template made`)
      const at = momentOf(random, tookMs)
      await runOrKill(newer, updating, envOf(name), at)
      const { code, said } = await runOrKill(newer, updating, envOf(name))
      const found = code === 0 ? await problemsOf(urlOf(name), before) : [`did not start again (${said})`]
      tell?.(`served, killed after ${at} of ${Math.round(tookMs)} ms: ${found.join(', ') || 'whole'}`)
      problems.push(...found.map((problem) => `served, killed after ${at} ms: ${problem}`))
      await owner.query(`drop database ${name} with (force)`)
    }
    return problems
  } finally {
    await owner.end()
    await database.stop()
  }
}

const mount = (...words: string[]): boolean => spawnSync('mount', words, { stdio: 'ignore' }).status === 0

/**
 * Updates an installation whose disk has too little room, first for the backup and then for the rows that are made; undefined where this
 * machine mounts no small disk.
 */
export const fillDisk = async ({
  folder,
  tell,
}: Pick<KillOptions, 'folder' | 'tell'>): Promise<string[] | undefined> => {
  const disk = join(folder, 'disk')
  mkdirSync(disk)
  if (!mount('-t', 'tmpfs', '-o', 'size=500m', 'tmpfs', disk)) return undefined
  const { older, newer } = releasesIn(folder, manyBadges)
  const env = { DATA_DIR: join(disk, 'data') }
  const found: string[] = []
  const say = (what: string, isRight: boolean, said: string): void => {
    tell?.(`full disk, ${what}: ${isRight ? 'as it should' : said}`)
    if (!isRight) found.push(`full disk, ${what}: ${said}`)
  }
  const sizeTo = (free: number): boolean => {
    const { bsize, blocks, bavail } = statfsSync(disk)
    return mount('-o', `remount,size=${(blocks - bavail) * bsize + free}`, disk)
  }
  try {
    const prepared = await older.run(prepare, [], env)
    say('prepared', prepared.code === 0, prepared.said)
    const database = await startEmbedded({ dataDir: env.DATA_DIR, log: quiet })
    const [before] = await ask(database.ownerUrl, addPeople, sumOfPeople)
    await database.stop()

    sizeTo(2 * 2 ** 20)
    const noBackup = await newer.run(prepare, [], env)
    const isSaid =
      /^There is no room for the backup before the update \(\d+ MB in \S+, where \d+ MB are free\), and nothing was changed: /m
    say('no room for the backup', noBackup.code === 3 && isSaid.test(noBackup.said), noBackup.said)
    const asBefore = await older.run(prepare, [], env)
    say('the version before starts', asBefore.code === 0, asBefore.said)

    sizeTo(20 * 2 ** 20)
    const noRows = await newer.run(prepare, [], env)
    say('no room for the rows', noRows.code !== 0, 'it ended well')
    sizeTo(700 * 2 ** 20)
    const whole = await newer.run(prepare, [], env)
    say('with room again', whole.code === 0, whole.said)
    const again = await startEmbedded({ dataDir: env.DATA_DIR, log: quiet })
    const problems = await problemsOf(again.ownerUrl, before, manyBadges)
    await again.stop()
    say('nothing is lost', problems.length === 0, problems.join(', '))
    return found
  } finally {
    spawnSync('umount', [disk], { stdio: 'ignore' })
  }
}
