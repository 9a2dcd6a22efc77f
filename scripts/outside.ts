import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { release, tmpdir } from 'node:os'
import { join } from 'node:path'
import { apiJudges } from './outside/api.ts'
import { backupJudges } from './outside/backups.ts'
import { documentJudges } from './outside/documents.ts'
import { debian, type Judge, Missing, run } from './outside/judge.ts'
import { type MadeFiles, makeFiles } from './outside/made-files.ts'
import { workbookJudges } from './outside/workbooks.ts'

/** Every program outside that reads what the product writes, or that calls it. */
const judges: readonly Judge[] = [...workbookJudges, ...documentJudges, ...backupJudges, ...apiJudges]

const isThere = async (program: string): Promise<boolean> =>
  (await run('sh', ['-c', 'command -v "$0"', program])).problem === ''

/** Installs what is not there, where this is Debian and the caller may. */
const installMissing = async (): Promise<void> => {
  const checks = await Promise.all(
    Object.entries(debian).map(async ([program, name]) => ((await isThere(program)) ? [] : [name])),
  )
  const { problem } = await run('/bin/sh', [
    ...['-c', '/usr/bin/python3 -c "import openpyxl" 2>/dev/null || exit 1'],
  ])
  const missing = [...new Set([...checks.flat(), ...(problem ? ['python3-openpyxl'] : [])])]
  if (missing.length === 0 || process.getuid?.() !== 0 || !(await isThere('apt-get'))) return
  console.log(`Installing ${missing.join(', ')} …`)
  await run('apt-get', ['update', '-qq'])
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing])
}

interface Line {
  judge: string
  version: string
  what: string
  result: string
}

const lineOf = async (judge: Judge, made: MadeFiles): Promise<Line> => {
  try {
    const { problem, ...verdict } = await judge(made)
    return { ...verdict, result: problem ? `**Failed:** ${problem.replaceAll('|', '\\|')}` : 'Passed' }
  } catch (error) {
    const { message } = error as Error
    const what = error instanceof Missing ? 'Not run' : '**Failed:**'
    return { judge: judge.name, version: '', what: '', result: `${what} ${message.replaceAll('|', '\\|')}` }
  }
}

const page = (lines: readonly Line[]): string => `# Judged from outside

\`npm run outside\` makes files with the product's own writers and has other programs read them: the same cells, names and bytes have to
be there. Clients that other programs make of the API description read hours from the demo. It installs what it needs on Debian when it runs as root, and says what is missing elsewhere. A judge is one function in
\`scripts/outside/\`, in the list of its file.

Last run: ${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, Linux ${release().split('-')[0]}.

| Judge | Version | Reads | Result |
| --- | --- | --- | --- |
${lines.map(({ judge, version, what, result }) => `| ${judge} | ${version} | ${what} | ${result} |`).join('\n')}
`

const folder = mkdtempSync(join(tmpdir(), 'practicum-outside-'))
try {
  await installMissing()
  const made = await makeFiles(folder)
  const lines: Line[] = []
  try {
    for (const judge of judges) lines.push(await lineOf(judge, made))
  } finally {
    await made.demo.stop()
  }
  console.table(lines)
  writeFileSync(join(import.meta.dirname, '..', 'docs', 'outside.md'), page(lines))
  process.exitCode = lines.every(({ result }) => result === 'Passed') ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
