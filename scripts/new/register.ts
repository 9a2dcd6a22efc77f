import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Lines for a file that is there: they go in front of the first line that matches. */
export interface Registration {
  path: string
  before: RegExp
  text: string
}

/** The text of a file, with the line ends that templates have. */
export const read = (path: string): string => readFileSync(path, 'utf8').replaceAll('\r\n', '\n')

/**
 * The files below `root` with the lines in them, by their paths; nothing is written. What is in `changed` already counts as the file.
 *
 * @throws Error when a file has no place for them
 */
export const register = (
  root: string,
  registrations: readonly Registration[],
  changed = new Map<string, string>(),
): Map<string, string> => {
  for (const { path, before, text } of registrations) {
    const current = changed.get(path) ?? read(join(root, path))
    const at = current.search(before)
    if (at === -1) throw new Error(`${path} has no place for it: adapt scripts/new. Nothing was written.`)
    changed.set(path, `${current.slice(0, at)}${text}\n${current.slice(at)}`)
  }
  return changed
}
