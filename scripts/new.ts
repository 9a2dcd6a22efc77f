import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { writeModule } from './new/module.ts'
import { RefusedName, readName } from './new/names.ts'
import { partKinds, writePart } from './new/parts.ts'

/** `npm run new -- module lockers [--one locker]`: a whole feature to begin from, from its table to its screens; or a part of one. */
const usage = `Say what to make: npm run new -- module lockers [--one locker], or with a name one of: ${partKinds.join(', ')}`
const root = join(import.meta.dirname, '..')

/** @throws Error with what the program said when it failed */
const runNode = (...args: string[]): void => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${args[0]} failed:\n${stdout}${stderr}`)
}

const format = (paths: readonly string[]): void => {
  const code = paths.filter((path) => /\.tsx?$/.test(path))
  if (code.length > 0)
    runNode(join('node_modules', '@biomejs', 'biome', 'bin', 'biome'), 'check', '--write', ...code)
}

const makePart = (kind: string, name: string): void => {
  const { changed, next } = writePart(root, kind, name)
  format(changed)
  console.log(`Changed:\n${changed.map((path) => `  ${path}`).join('\n')}\n${next}`)
}

const makeModule = (many: string, one: string | undefined): void => {
  const { added, changed } = writeModule(root, readName(many, one))
  format([...added, ...changed])
  runNode(join('scripts', 'types.ts'))
  const test = added.find((path) => path.endsWith('.test.ts'))
  console.log(`Wrote:
${added.map((path) => `  ${path}`).join('\n')}
Changed:
${[...changed, 'server/core/database/types.ts'].map((path) => `  ${path}`).join('\n')}
It works as it is: npm test ${test}
Now make it yours: fields in the migration and the contract, who may do what in contract/core/permissions.ts, and the
place in the menu in contract/core/pages.ts. After a change of the migration: npm run types.`)
}

try {
  const { values, positionals } = parseArgs({
    options: { one: { type: 'string' } },
    allowPositionals: true,
  })
  const [kind = '', name, ...rest] = positionals
  if (name === undefined || rest.length > 0) throw new RefusedName(usage)
  if (kind === 'module') makeModule(name, values.one)
  else if (partKinds.includes(kind)) makePart(kind, name)
  else throw new RefusedName(usage)
} catch (error) {
  const isUsage = (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')
  console.error(error instanceof RefusedName ? error.message : isUsage ? usage : error)
  process.exitCode = error instanceof RefusedName || isUsage ? 2 : 1
}
