import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, type Rolldown } from 'vite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { contractOfScreens } from './contract-of-screens.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contract-of-screens-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const contract = `import { z } from '${join(import.meta.dirname, '..', 'node_modules', 'zod', 'index.js').replaceAll('\\', '/')}'
const Line = (max: number) => z.string().max(max)
export const roles = ['one', 'two'] as const
export const Role = z.enum(roles)
const endpoint = (declaration: object) => ({ kind: 'endpoint', ...declaration })
export const findSite = endpoint({
  method: 'GET', path: '/sites/:siteId', may: 'sites.read', summary: 'A site by its id',
  params: z.strictObject({ siteId: z.number() }), answer: z.object({ Name: Line(50), Role }), isHeavy: true,
})
export const askLink = endpoint({ method: 'POST', path: '/links', may: 'everyone', keptOffline: { version: 1 }, status: 202 })
export const unused = endpoint({ path: '/nobody-calls-this' })
`

const built = async (screen: string): Promise<string> => {
  mkdirSync(join(folder, 'contract'))
  writeFileSync(join(folder, 'contract', 'sites.ts'), contract)
  writeFileSync(join(folder, 'screen.ts'), screen)
  const result = (await build({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    plugins: [contractOfScreens()],
    build: { write: false, minify: false, lib: { entry: join(folder, 'screen.ts'), formats: ['es'] } },
  })) as Rolldown.RolldownOutput[]
  return result
    .flatMap(({ output }) => output.map((file) => (file.type === 'chunk' ? file.code : '')))
    .join('')
}

test('a screen gets the address of a call, whether everyone may make it, and nothing that only the server reads', async () => {
  const code = await built(
    "import { askLink, findSite, roles } from './contract/sites.ts'\nconsole.log(askLink, findSite, roles)",
  )
  expect(code).toContain('/sites/:siteId')
  expect(code).toMatch(/everyone[^}]*keptOffline: \{ version: 1 \}/)
  expect(code).toContain('two')
  expect(code).not.toMatch(
    /sites\.read|isHeavy|status|A site by its id|strictObject|ZodString|nobody-calls-this/,
  )
  expect(code.length).toBeLessThan(1_500)
})

test('a screen that would bring the schemas to the browser fails the build', async () => {
  const use = "import { Role } from './contract/sites.ts'\nconsole.log(Role.safeParse('one').success)"
  await expect(built(use)).rejects.toThrow('A screen uses a schema of the contract')
})
