import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { ConfigError, type Environment } from './environment.ts'

/** Settings that are a secret or may hold one: each may come from the file that `NAME_FILE` names. */
export const secretSettings = [
  'SECRET_KEY',
  'DATABASE_URL',
  'DATABASE_READ_URL',
  'FILES_URL',
  'SMTP_URL',
  'MAP_TILES_URL',
  'ZENDESK_SECRET',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of its path is a file',
  EISDIR: 'it is a folder',
  EACCES: 'the user who runs Practicum may not read it',
  EPERM: 'the user who runs Practicum may not read it',
}

const readOne = (name: string, path: string): string => {
  const variable = `${name}_FILE`
  let content: string
  try {
    content = readFileSync(path, 'utf8')
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw new ConfigError(
      `${variable} (${path}) cannot be read because ${reasons[code] ?? message}: name a file that holds ${name} and nothing else.`,
    )
  }
  const value = content.replace(/\r?\n$/, '')
  if (value.trim() === '')
    throw new ConfigError(`${variable} (${path}) is empty: write ${name} into it, or leave ${variable} out.`)
  return value
}

/** Windows has no such rights, and says that everybody may read. */
const mayEverybodyRead = (path: string): boolean =>
  process.platform !== 'win32' && (statSync(path).mode & 0o004) !== 0

/**
 * Puts what the files of `NAME_FILE` hold in place of these variables. A path that is not absolute is looked up in
 * `CREDENTIALS_DIRECTORY` where systemd sets it.
 *
 * @returns the environment without any `NAME_FILE`, and a sentence for each file that everybody on the machine may read
 * @throws ConfigError when a setting comes both ways, or its file cannot be read or is empty
 */
export const withSecretFiles = (env: Environment): { env: Environment; warnings: readonly string[] } => {
  const found: Record<string, string | undefined> = { ...env }
  const warnings: string[] = []
  for (const name of secretSettings) {
    const variable = `${name}_FILE`
    const given = env[variable]?.trim()
    if (!given) continue
    if (env[name]?.trim())
      throw new ConfigError(`${name} and ${variable} are both set: leave one of them out.`)
    const path = resolve(env.CREDENTIALS_DIRECTORY?.trim() || '.', given)
    found[name] = readOne(name, path)
    delete found[variable]
    if (mayEverybodyRead(path))
      warnings.push(
        `Everyone on this machine may read ${variable} (${path}): let only the user who runs Practicum (chmod 600).`,
      )
  }
  return { env: found, warnings }
}
