import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

/** A program in a folder of its own, as one release or the next one after it. */
export interface Release {
  folder: string
  /** Runs one of its files to the end. */
  run(
    file: string,
    words: readonly string[],
    env: Record<string, string>,
  ): Promise<{ code: number | null; said: string }>
}

/** Makes this version with migrations of a later one added: by the name of a file, its statements. */
export const makeRelease = (folder: string, migrations: Readonly<Record<string, string>> = {}): Release => {
  mkdirSync(folder, { recursive: true })
  for (const part of ['server', 'contract', 'scripts', 'package.json'])
    cpSync(join(root, part), join(folder, part), {
      recursive: true,
      filter: (path) => !/\.test\.tsx?$/.test(basename(path)),
    })
  for (const part of ['node_modules', 'dist'])
    if (existsSync(join(root, part))) symlinkSync(join(root, part), join(folder, part))
  for (const [name, sql] of Object.entries(migrations))
    writeFileSync(join(folder, 'server', 'migrations', name), sql)
  return {
    folder,
    run: async (file, words, env) => {
      const child = spawn(process.execPath, [join(folder, file), ...words], {
        cwd: folder,
        env: { ...process.env, DATABASE_URL: '', SECRET_KEY: '', FILES_URL: '', SMTP_URL: '', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const parts: Buffer[] = []
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => parts.push(part))
      const [code] = await once(child, 'close')
      return { code, said: Buffer.concat(parts).toString() }
    },
  }
}
