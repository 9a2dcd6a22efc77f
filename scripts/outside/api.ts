import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installApart } from '../lib/install.mjs'
import { type Judge, run, type Verdict } from './judge.ts'
import type { Running } from './running.ts'

const packages = {
  '@redocly/cli': '2.77.0',
  'openapi-typescript': '7.13.0',
  'openapi-fetch': '0.17.0',
  '@hey-api/openapi-ts': '0.99.0',
  typescript: '5.9.3',
}

/** Where the programs are, with the description of all calls beside them. */
interface Bench {
  folder: string
  demo: Running
}

/** A judge of how the demo describes its calls. */
const judgeOf =
  (about: Omit<Verdict, 'problem'>, judge: (bench: Bench) => Promise<string>): Judge =>
  async ({ demo }) => {
    const all = Object.entries(packages).map(([name, version]) => `${name}@${version}`)
    const folder = await installApart(`outside-api-${Object.values(packages).join('-')}`, all)
    writeFileSync(join(folder, 'openapi.json'), demo.description)
    return { ...about, problem: await judge({ folder, demo }) }
  }

const program = ({ folder }: Bench, ...path: string[]): string => join(folder, 'node_modules', ...path)

/** Compiles a client in the strictest way and runs it: what it prints, or what went wrong. */
const compileAndRun = async (bench: Bench, name: string, text: string): Promise<string> => {
  const folder = join(bench.folder, name)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'main.ts'), text)
  const compiled = await run(process.execPath, [
    program(bench, 'typescript', 'bin', 'tsc'),
    ...['--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext'],
    ...['--lib', 'es2022,dom,dom.iterable', '--outDir', join(folder, 'out'), join(folder, 'main.ts')],
  ])
  if (compiled.problem) return compiled.problem
  const key = await bench.demo.makeKey(name, ['time.read'])
  const ran = await run(process.execPath, [
    join(folder, 'out', 'main.js'),
    ...[bench.demo.api, key, String(bench.demo.programId)],
  ])
  if (ran.problem) return ran.problem
  return /^\d+ minutes of \S/.test(ran.text) ? '' : `it read ${ran.text.slice(0, 200)}`
}

const redocly = judgeOf(
  { judge: 'Redocly lint', version: packages['@redocly/cli'], what: 'openapi.json' },
  async (bench) => {
    const file = join(bench.folder, 'redocly.yaml')
    // What is not valid is an error; how a description could be nicer is advice.
    writeFileSync(file, 'extends:\n  - spec\n')
    return (
      await run(process.execPath, [
        program(bench, '@redocly', 'cli', 'bin', 'cli.js'),
        ...['lint', join(bench.folder, 'openapi.json'), '--config', file],
      ])
    ).problem
  },
)

const openapiTypescript = judgeOf(
  {
    judge: 'openapi-typescript and openapi-fetch, their client',
    version: packages['openapi-typescript'],
    what: 'openapi.json and hours',
  },
  async (bench) => {
    const name = 'typed'
    mkdirSync(join(bench.folder, name), { recursive: true })
    const made = await run(process.execPath, [
      program(bench, 'openapi-typescript', 'bin', 'cli.js'),
      ...[join(bench.folder, 'openapi.json'), '-o', join(bench.folder, name, 'calls.ts')],
    ])
    if (made.problem) return made.problem
    return compileAndRun(
      bench,
      name,
      `import createClient from 'openapi-fetch'
import type { paths } from './calls.js'
declare const process: { argv: string[] }
const [, , baseUrl, key, programId] = process.argv
const client = createClient<paths>({ baseUrl: baseUrl!, headers: { authorization: \`Bearer \${key}\` } })
const { data, error } = await client.GET('/programs/{programId}/time-records', {
  params: { path: { programId: Number(programId) }, query: { Type: 'out', pageSize: 1 } },
})
if (!data) throw new Error(JSON.stringify(error))
const record = data.Items[0]!
console.log(\`\${record.Minutes} minutes of \${record.Student}\`)
`,
    )
  },
)

const heyApi = judgeOf(
  {
    judge: '@hey-api/openapi-ts, its client',
    version: packages['@hey-api/openapi-ts'],
    what: 'openapi.json and hours',
  },
  async (bench) => {
    const name = 'hey'
    mkdirSync(join(bench.folder, name), { recursive: true })
    writeFileSync(
      join(bench.folder, name, 'make.mjs'),
      `import { createClient } from '@hey-api/openapi-ts'
await createClient({
  input: ${JSON.stringify(join(bench.folder, 'openapi.json'))},
  output: { path: ${JSON.stringify(join(bench.folder, name, 'client'))}, module: { extension: '.js' } },
  logs: { level: 'silent', file: false },
})
`,
    )
    const made = await run(process.execPath, [join(bench.folder, name, 'make.mjs')])
    if (made.problem) return made.problem
    return compileAndRun(
      bench,
      name,
      `import { client } from './client/client.gen.js'
import { listTimeRecords } from './client/sdk.gen.js'
declare const process: { argv: string[] }
const [, , baseUrl, key, programId] = process.argv
client.setConfig({ baseUrl: baseUrl!, headers: { authorization: \`Bearer \${key}\` } })
const { data, error } = await listTimeRecords({
  path: { programId: Number(programId) },
  query: { Type: 'out', pageSize: 1 },
})
if (!data) throw new Error(JSON.stringify(error))
const record = data.Items[0]!
console.log(\`\${record.Minutes} minutes of \${record.Student}\`)
`,
    )
  },
)

export const apiJudges: readonly Judge[] = [redocly, openapiTypescript, heyApi]
