import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readsLanguages } from '#contract/core/levels.ts'
import { allPages, type PagePath } from '#contract/core/pages.ts'
import { textsNamedIn } from '../../scripts/words-by-use.ts'
import { en } from './en.ts'
import { es } from './es.ts'

type Nested = { readonly [name: string]: string | Nested }

const textsOf = (catalogue: Nested, path = ''): [path: string, text: string][] =>
  Object.entries(catalogue).flatMap(([name, text]) =>
    typeof text === 'string' ? [[`${path}${name}`, text]] : textsOf(text, `${path}${name}.`),
  )
const english = new Map(textsOf(en))
const spanish = new Map(textsOf(es))

const web = resolve(import.meta.dirname, '..')

/**
 * Pages outside the addresses of staff that have no Spanish, each with the reason. The pages of staff themselves (`admin/…`) have none: who
 * opens them reads English, by the level (`readsLanguages`). One that is in the menu of supervisors has (`alsoOwn`).
 */
const englishPages: Partial<Record<PagePath, string>> = {
  'api/docs': 'for developers; the names in it are those of the interface',
}

/** The modules that a page of the list loads with or later, found as the build finds them: by what they import. */
const modulesFrom = (entries: readonly string[], except: readonly string[]): string[] => {
  const seen = new Set<string>()
  const open = entries.map((entry) => join(web, entry))
  const left = new Set(except.map((entry) => join(web, entry)))
  while (open.length > 0) {
    const file = open.pop() ?? ''
    if (seen.has(file) || left.has(file) || file.startsWith(import.meta.dirname)) continue
    seen.add(file)
    for (const [, from = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)) {
      const found = from.startsWith('#web/')
        ? join(web, from.slice('#web/'.length))
        : from.startsWith('.')
          ? resolve(dirname(file), from)
          : ''
      if (/\.tsx?$/.test(found)) open.push(found)
    }
  }
  return [...seen].map((file) => relative(web, file)).sort()
}

// Read, not loaded: what the pages load is of the browser.
const ownPages = ['own-pages.ts', 'staff-pages.ts']
  .map((name) => readFileSync(join(web, name), 'utf8'))
  .join()
const moduleOf = (path: string): string =>
  new RegExp(
    `${path === '' ? "''" : `'?${path.replaceAll('$', '\\$')}'?`}: screen\\(\\s*\\(\\) => import\\('\\./([^']+)'`,
  ).exec(ownPages)?.[1] ?? ''

/** Code that no reader of Spanish gets to see. */
const ofStaff = [
  'staff-pages.ts',
  'modules/session/AdminFrame.tsx',
  ...Object.keys(englishPages).map(moduleOf),
]
/** Pages of staff that are in the menu of people who read Spanish: these see them in it. */
const alsoOwn = allPages.filter(({ path, menu }) => {
  const places = menu === undefined ? [] : 'id' in menu ? [menu] : menu
  return (
    path.startsWith('admin/') &&
    places.some(({ under }) => typeof under !== 'string' && under.some(readsLanguages))
  )
})
const modules = [
  ...new Set([
    ...modulesFrom(['main.ts', 'sw.ts'], ofStaff),
    ...modulesFrom(
      alsoOwn.map(({ path }) => moduleOf(path)),
      ofStaff,
    ),
  ]),
]
const inScope = [
  ...new Set(modules.flatMap((module) => textsNamedIn(readFileSync(join(web, module), 'utf8')))),
].sort()

test('the texts of every page that is not one of staff are looked at', () => {
  const pages = allPages.filter(
    ({ path, frame }) => !path.startsWith('admin/') && frame !== 'staff' && !(path in englishPages),
  )
  const missing = pages.filter(({ path }) => path !== 'login' && !modules.includes(moduleOf(path)))
  expect(missing.map(({ path }) => path)).toEqual([])
  expect(pages.length).toBeGreaterThan(60)
  expect(inScope.length).toBeGreaterThan(2_000)
})

test('no text of the pages of students, graduates and supervisors is without Spanish', () => {
  expect(inScope.filter((path) => !spanish.has(path))).toEqual([])
})

test('the Spanish catalog has no text that the English one lacks', () => {
  expect([...spanish.keys()].filter((path) => !english.has(path))).toEqual([])
})

/** Singular and plural of a term are one word here: in which number it is said best differs between the languages. */
const termOf = (name: string): string => {
  const small = name.charAt(0).toLowerCase() + name.slice(1)
  return small === 'alumni' ? 'alumnus' : small === 'faculties' ? 'faculty' : small.replace(/s$/, '')
}
const placeholdersOf = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => termOf(name)))].sort()

test('each Spanish text has the placeholders of the English one', () => {
  const different = [...spanish].flatMap(([path, text]) => {
    const [here, there] = [placeholdersOf(text), placeholdersOf(english.get(path) ?? '')]
    return here.join() === there.join() ? [] : [`${path}: ${there.join(', ')} but ${here.join(', ')}`]
  })
  expect(different).toEqual([])
})

/** Texts that are the same in both languages, with the reason. */
const same: readonly [reason: string, texts: readonly string[]][] = [
  ['names of products and formats', ['PDF', 'Word', 'Excel', 'PowerPoint', 'CSV']],
  ['the same word', ['No', '24 h, HH:MM']],
  ['units and names', ['{hours} h {minutes} min', '© 2005–{year} Practicum']],
]
const sameTexts = new Set(same.flatMap(([, texts]) => texts))

test('no Spanish text is the English one, but those that are the same in both', () => {
  const untranslated = [...spanish].filter(([path, text]) => {
    // Of a text of placeholders and signs nothing is left to translate.
    const isOnlyPlaceholders = !/[a-z]{2}/i.test(text.replace(/\{\w+\}/g, ''))
    return text === english.get(path) && !isOnlyPlaceholders && !sameTexts.has(text)
  })
  expect(untranslated).toEqual([])
})

/** What English leaves behind in a translation, and what a Spanish text of the product does not say. */
const strange: readonly [RegExp, string][] = [
  [/\b(the|of|and|your|with|was|will)\b/i, 'English'],
  [/\.\.\./, '…'],
  [/\bexpediente clínico\b/i, 'constancia clínica: the other is the record of a patient'],
  [/\bclick\b|\bcliquear\b/i, 'pulsar'],
  [/^[^¿]*\?/, '¿ at the beginning'],
  [/\b(chequear|aplicar a|email|e-mail)\b/i, 'revisar, solicitar, correo'],
]

test('no Spanish text has English words or signs in it', () => {
  const found = [...spanish].flatMap(([path, text]) =>
    strange
      .filter(([pattern]) =>
        pattern.test(text.replace(/\{\w+\}/g, '').replace('Comprehensive Learner Records', '')),
      )
      .map(([, better]) => `${path}: ${text} (${better})`),
  )
  expect(found).toEqual([])
})

test('every file of Spanish texts has its English one, with the same name', () => {
  const named = (folder: string) => globSync('*.ts', { cwd: join(import.meta.dirname, folder) })
  const others = new Set(named('en'))
  expect(named('es').filter((file) => !others.has(file))).toEqual([])
})
