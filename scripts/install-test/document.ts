import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, SetupError } from '../lib/process.mjs'

/** What the page tells its reader to do: commands to run, or lines to set in a file, under the heading of their section. */
export type Step = { section: string } & (
  | { kind: 'run'; place: string; commands: string }
  | { kind: 'set'; place: string; file: string; lines: string[] }
)

/** Each block of code has a comment above it: where it runs, or which file it changes. */
const marked = /^## (.+)$|<!-- (run|set): (\w+)(?: (\S+))? -->\n```\w+\n([\s\S]*?)```|^```/gm

/**
 * The steps of `docs/install.md`, in their order.
 *
 * @throws SetupError for a block that says nothing about where it belongs: nobody would notice that it is not true
 */
export const stepsOf = (page: string): Step[] => {
  const steps: Step[] = []
  let section = ''
  for (const [found, heading, kind, place = '', file = '', body = ''] of page.matchAll(marked)) {
    if (heading !== undefined) section = heading
    else if (kind === 'run') steps.push({ section, kind, place, commands: body })
    else if (kind === 'set') steps.push({ section, kind, place, file, lines: body.trim().split('\n') })
    else throw new SetupError(`A block of code under "${section}" does not say where it runs: ${found}`)
  }
  return steps
}

/** The page that is walked. */
export const readPage = (): string => readFileSync(join(root, 'docs', 'install.md'), 'utf8')
