import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ensureBuilt } from '../scripts/lib/build.mjs'
import { admissionFigures } from './admission.ts'
import { backgroundFigures } from './background.ts'
import { directorOf, get, gridOf, pagesOf, punches, readsOf, staffOf, superAdminOf } from './calls.ts'
import { compare, inTurn, proveSame } from './compare.ts'
import { fillCompetencies } from './competencies.ts'
import { crowdFigures } from './crowd.ts'
import { draftFigures } from './drafts.ts'
import { everyReadFigures } from './every-read.ts'
import {
  comparedFigures,
  copyFigure,
  deepPage,
  exportFigures,
  growth,
  makingFigures,
  pageFigures,
  processFigures,
} from './figures.ts'
import { firstFigures } from './first.ts'
import { inboxOf } from './inbox.ts'
import { type Installation, startInstallation } from './installation.ts'
import { largestFigures } from './largest.ts'
import { hangUp } from './load.ts'
import { mailFigures } from './mail.ts'
import { keepMeasured, type Measured, measuredAt } from './measured.ts'
import { large, largest, options, type Part, usual, wants } from './options.ts'
import { measurePages } from './pages.ts'
import { placementFigures } from './placement.ts'
import { recoveryFigures } from './recovery.ts'
import { performancePage } from './report.ts'
import { asText, type Figure } from './table.ts'
import { emailFigure, keepSums, makingFigure, seriesFigures, workOffChanges } from './tasks.ts'
import { wheelFigures } from './wheels.ts'

const say = (text: string): void => console.log(text)

/**
 * `npm run bench [-- --scale S] [--quick] [--write]`: the product beside a bare reference on the same PostgreSQL, in turns,
 * median of the rounds. Without `--scale` on the demo's size and on 40 times that. `--only f,g` measures some parts alone: the letters of
 * the table, first, reads, deep, export, crowd, admission, background, copy, mail, placement, drafts, memory, pages, growth, recovery. `--write` puts docs/performance.md
 * again; the parts that were left out keep what they had, with its day; with `--scale 400` they have a table of their own. `--only l --list requirements` measures of the large lists only those with this word in their name. Everything listens on loopback only, is in a temporary folder and ends by itself.
 */
const run = async (): Promise<void> => {
  const began = performance.now()
  // The server reads which files there are when it starts.
  if (wants('pages')) await ensureBuilt()
  say(`Making data at ${large} times the demo's size …`)
  const at = await startInstallation(large)
  const started: Installation[] = [at]
  const measuredParts: Measured[] = []
  const today = new Date().toISOString().slice(0, 10)
  const failures: string[] = []
  try {
    const programId = large >= 4 ? 4 : 3
    const staff = await staffOf(at, programId)
    const reads = readsOf(staff)
    const { rows: sizes } = await at.owner.query(
      `select (select count(*) from shift_assignment where program_id = $1 and removed_at is null)::integer as own,
        (select count(*) from account where program_id = $1 and access_level = 39 and deleted_at is null
          and deactivated_at is null)::integer as students,
        (select count(*) from account where access_level = 39)::integer as all_students,
        (select count(*) from shift_assignment)::integer as assignments,
        (select count(*) from time_record)::integer as records, (select count(*) from program)::integer as programs`,
      [programId],
    )
    const size = sizes[0]
    const { rows: anyone } = await at.owner.query(
      `select id::integer from account where program_id = $1 and access_level = 39 and deleted_at is null
        and deactivated_at is null order by id limit 1`,
      [programId],
    )
    const director = await directorOf(at, programId)
    const pages = pagesOf(director, await superAdminOf(at), anyone[0].id)
    if (wants('e') || wants('f') || wants('g') || wants('h') || wants('l')) await keepSums(at, programId)
    const listId =
      wants('m') || wants('l') || wants('reads') || wants('pages') ? await fillCompetencies(at, programId) : 0
    const compared = {
      ...reads,
      ...pages,
      m: gridOf(staff, listId),
      n: wants('n') || wants('l') ? await inboxOf(at, programId) : [],
    }
    const bars = {
      a: ['approve list, 50 rows and counts', [2.5, 1.6]],
      b: ['assignment search, 100 rows', [2.5, 1.6]],
      c: [`student list whole, ${size.students} rows`, [1.5, 1.2]],
      e: ['dashboard counts', [1.3, 1.1]],
      f: ['director’s outcomes, its three calls', [2.5, 1.6]],
      g: [`installation overview, ${size.programs} programs`, [2.5, 1.6]],
      h: ['student’s page, its four calls', [2.5, 1.6]],
      m: [`competency grid of ${size.students} students by 80 procedures, its three calls`, [2.5, 1.6]],
      n: ['inbox by link, its two calls', [2.5, 1.6]],
    } as const
    const letters = (Object.keys(bars) as (keyof typeof bars)[]).filter(wants)
    for (const letter of letters) await proveSame(at, compared[letter])
    say('Both sides answer the same. Measuring …')
    /** A part that fails costs no other its figures. */
    const part = async (name: Part, measure: () => Promise<Figure[]>): Promise<void> => {
      if (!wants(name)) return
      try {
        measuredParts.push({ part: name, date: today, figures: await measure() })
      } catch (error) {
        failures.push(`${name}: ${(error as Error).stack}`)
      }
    }
    const measured = (letter: keyof typeof bars): Promise<void> => {
      const [what, [must, stretch]] = bars[letter]
      const more = letter === 'a' || letter === 'b' ? { added: [1.8, 1.3] as const } : {}
      return part(letter, async () =>
        comparedFigures(letter, what, await compare(at, inTurn(compared[letter])), [must, stretch], more),
      )
    }
    await part('first', () => firstFigures(large, programId))
    if (large === largest) await part('data', async () => makingFigures(at))
    for (const letter of ['a', 'b', 'c'] as const) await measured(letter)
    await part('d', async () => {
      const clock = await punches(at, programId)
      const found = await compare(at, clock.next, clock.forget)
      await at.owner.query('vacuum analyze time_record')
      const bar = { added: [1.5, 1], whole: [2.6, 2] } as const
      return comparedFigures('d', 'clock punch with all rules and audit', found, [3, 2], bar)
    })
    await workOffChanges(at, programId)
    for (const letter of ['e', 'f', 'g', 'h', 'm', 'n'] as const) await measured(letter)
    await part('i', async () => [await makingFigure(at, programId)])
    await part('j', () => seriesFigures(at, staff))
    await part('k', async () => [await emailFigure(at, staff)])
    await workOffChanges(at, programId)
    await part('l', () => largestFigures(at, { staff, director, listId, inbox: compared.n }))
    await part('reads', () => everyReadFigures(at, director, { studentId: anyone[0].id, listId }))
    await part('deep', async () => [await deepPage(at, staff, size.own)])
    await part('export', () => exportFigures(at, staff, size.own))
    await part('crowd', () => crowdFigures(at, staff))
    await part('admission', () => admissionFigures(at, staff))
    await part('background', () => backgroundFigures(at, staff))
    await part('copy', async () => [await copyFigure(at, programId)])
    await part('mail', () => mailFigures(at, programId))
    await part('placement', placementFigures)
    await part('wheels', wheelFigures)
    await part('drafts', () => draftFigures(at))
    await part('memory', async () => processFigures(at))
    await part('pages', async () => {
      const [student] = await at.signIn([anyone[0].id])
      // One id goes in.
      return pageFigures(await measurePages(at, staff, student!))
    })
    if (options.scale === undefined && !options.quick)
      await part('growth', async () => {
        say("Making data at the demo's size …")
        const small = await startInstallation(1)
        started.push(small)
        return growth(small, at)
      })
    await part('recovery', async () => {
      const clock = await punches(at, programId)
      return recoveryFigures(at, clock.next, get(staff, '/state'))
    })
    const seconds = Math.round((performance.now() - began) / 1000)
    const count = (value: number) => value.toLocaleString('en-US')
    const data = `${size.programs} programs, ${count(size.all_students)} students, ${count(size.assignments)} assignments, ${count(
      size.records,
    )} time records; measured in a program of ${size.students} students`
    say(`\n${asText(measuredParts.flatMap(({ figures }) => figures))}\n\n${data}. ${seconds} s.`)
    if (options.write) {
      keepMeasured({ scale: large, data, parts: measuredParts })
      const all = measuredAt(usual)
      if (all)
        writeFileSync(
          join(import.meta.dirname, '..', 'docs', 'performance.md'),
          performancePage(all, measuredAt(largest)),
        )
    }
    if (failures.length > 0) throw new Error(`What could not be measured:\n${failures.join('\n')}`)
  } finally {
    for (const each of started.reverse()) await each.stop()
    hangUp()
  }
}

await run()
await sleep(0)
