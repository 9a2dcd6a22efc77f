import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { AnyEndpoint } from '#contract/core/endpoint.ts'
import { levels } from '#contract/core/levels.ts'
import { allPages, mayOpen } from '#contract/core/pages.ts'
import { may, type Permission, permissions } from '#contract/core/permissions.ts'

const root = join(import.meta.dirname, '..')
const web = join(root, 'web')

/** The component of each page, by its path. */
const screens = new Map(
  ['staff-pages.ts', 'own-pages.ts'].flatMap((list) =>
    [
      ...readFileSync(join(web, list), 'utf8').matchAll(
        /^ {2}'?([^':\s]*)'?: screen\(\s*\(\) => import\('([^']+)'\)/gm,
      ),
    ].map(([, path, file]) => [path!, join(web, file!)] as const),
  ),
)

/** The files of a page that know the domain: shells, grids and forms ask nothing of the server by themselves. */
const filesOf = (file: string, seen = new Set<string>()): Set<string> => {
  if (seen.has(file) || !existsSync(file)) return seen
  seen.add(file)
  for (const [, from] of readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'([^']+)'/g)) {
    const path = from!.startsWith('.') ? join(dirname(file), from!) : from!.replace('#web/', `${web}/`)
    if (/\/web\/(modules|shared)\//.test(path)) filesOf(path, seen)
  }
  return seen
}

/** The calls that a file makes. */
const callsOf = async (text: string): Promise<AnyEndpoint[]> => {
  const found: AnyEndpoint[] = []
  for (const [, names, from] of text.matchAll(/import \{([^}]+)\} from '#(contract\/[^']+)'/g)) {
    const used = names!
      .split(',')
      .map((name) => name.trim())
      .filter((name) =>
        new RegExp(`(?:useRead|useSave|useReadAll|useFile|\\bcall|callAddress)\\(\\s*${name}\\b`).test(text),
      )
    if (used.length === 0) continue
    const contract = (await import(join(root, from!))) as Record<string, AnyEndpoint>
    found.push(...used.flatMap((name) => (contract[name]?.kind === 'endpoint' ? [contract[name]] : [])))
  }
  return found
}

const everybody = levels.map(({ Id, Name }) => ({ Name, AccessLevel: Id, SuperAdminAreas: null }))

const implies = (one: Permission, other: Permission): boolean =>
  everybody.every((who) => !may(who, one) || may(who, other))

const isPermission = (text: string): text is Permission => text in permissions

/** What a page takes from a pair by who looks at it, which no line shows. */
const chosen = [/^\/imports/, /^(\/programs\/:programId)?\/calendar-feed$/]
/** The home is another one for each kind of person. */
const isHome = (path: string): boolean => path === ''
const signedIn = allPages.filter(({ isOpen, path }) => !isOpen && !isHome(path) && screens.has(path))

test.each(signedIn)('nobody is offered on $path what the server would refuse them', async ({ path }) => {
  const texts = [...filesOf(screens.get(path)!)].map((file) => readFileSync(file, 'utf8'))
  const named = new Set(
    texts.flatMap((text) => [...text.matchAll(/'([a-z][a-z-]*\.[a-z-]+)'/g)].map(([, name]) => name!)),
  )
  const calls = (await Promise.all(texts.map(callsOf)))
    .flat()
    .filter((call) => !chosen.some((one) => one.test(call.path)))
  const asked = [...named].filter(isPermission)
  const offered = everybody
    .filter((who) => mayOpen(who, path))
    .flatMap((who) =>
      calls
        .filter(({ may: needed }) => isPermission(needed) && !may(who, needed))
        // Asking for it, or for what only those have who also have it, hides it from this level.
        .filter(
          ({ may: needed }) => !asked.some((one) => !may(who, one) && implies(one, needed as Permission)),
        )
        .map(({ method, path: address, may: needed }) => `${who.Name}: ${method} ${address} ${needed}`),
    )
  expect([...new Set(offered)]).toEqual([])
})
