import MagicString from 'magic-string'
import type { Plugin, Rolldown } from 'vite'

/** What screens read of an endpoint. The rest is the server's: schemas check there, texts describe there, rights are decided there. */
const ofScreens = new Set(['method', 'path', 'keptOffline', 'basis', 'takes', 'mayBePrepared'])
/** Of who may make a call, a screen only asks whether it is everyone. */
const isForEveryone = (part: { key: Node; value: Node }): boolean =>
  part.key.type === 'Identifier' &&
  part.key.name === 'may' &&
  part.value.type === 'Literal' &&
  part.value.value === 'everyone'
/** What only the server reads of a page: it makes the menus, says their names and sends their headers. */
const ofPage = new Set(['name', 'menu', 'holds', 'isByLink'])

const marker = 'virtual:schema-of-server'

type Statement = ReturnType<Rolldown.PluginContext['parse']>['body'][number]
type Declaration = Extract<Statement, { type: 'VariableDeclaration' }>
type Node = NonNullable<Declaration['declarations'][number]['init']>

/** The name that a chain of calls begins with: `z` of `z.string().max(3)`, and whether something is called on it. */
const beginning = (node: Node, isCalled = false): { name: string; isCalled: boolean } | undefined => {
  if (node.type === 'Identifier') return { name: node.name, isCalled }
  // Calls of `super` are in no contract.
  if (node.type === 'CallExpression') return beginning(node.callee as Node, true)
  if (node.type === 'MemberExpression') return beginning(node.object as Node, isCalled)
  return undefined
}

type Property = { key: Node; value: Node }

/** Takes some properties out of an object, and of those inside of it. */
const takeOut = (
  node: Node,
  isTaken: (part: Property, name: string) => boolean,
  text: MagicString,
  isDeep: boolean,
): void => {
  if (node.type !== 'ObjectExpression') return
  node.properties.forEach((part, at) => {
    if (part.type !== 'Property') return
    const property = part as Property
    if (property.key.type === 'Identifier' && isTaken(property, property.key.name)) {
      const next = node.properties[at + 1]
      text.remove(part.start, next?.start ?? part.end)
    } else if (isDeep) takeOut(property.value, isTaken, text, true)
  })
}

/**
 * The contract as the screens need it: where a call lies. The server checks what is sent, so the schemas
 * and the library that makes them (a quarter of what a phone would load and run before its first picture) stay there, and with
 * them what only they import. Whatever else the contract computes when it loads is marked as free of effects, so that the build
 * leaves out what no screen names.
 */
export const contractOfScreens = (): Plugin => ({
  name: 'contract-of-screens',
  apply: 'build',
  resolveId: (id) => (id === marker ? `\0${marker}` : undefined),
  // An object, which cannot be written in the place of its name: where it is used, it is in the build and seen below.
  load: (id) =>
    id === `\0${marker}` ? 'export const schemaOfServer = /* @__PURE__ */ Object.create(null)' : undefined,
  transform(code, id) {
    if (!/\/contract\/([\w-]+\/)?[\w-]+\.ts$/.test(id)) return undefined
    // It only prepares the library.
    if (id.endsWith('/no-eval.ts')) return { code: '', map: null }
    const text = new MagicString(code)
    const { body } = this.parse(code)
    const schemas = new Set(['z'])
    /** Names that are imported, each with whether it can be a schema: those are written like types. */
    const taken = new Map<string, boolean>()
    for (const statement of body)
      if (statement.type === 'ImportDeclaration')
        for (const { local } of statement.specifiers) taken.set(local.name, /^[A-Z]/.test(local.name))
    const isSchema = (init: Node): boolean => {
      const found = beginning(init)
      if (!found?.isCalled || init.type !== 'CallExpression' || init.callee.type !== 'MemberExpression')
        return false
      return schemas.has(found.name) || taken.get(found.name) === true
    }
    for (const statement of body) {
      const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
      if (declared?.type !== 'VariableDeclaration') continue
      for (const { id: name, init } of declared.declarations) {
        if (!init) continue
        if (name.type === 'Identifier' && name.name === 'pageTable')
          takeOut(init, (_part, key) => ofPage.has(key), text, true)
        if (/Function/.test(init.type) || !code.slice(init.start, init.end).includes('(')) continue
        if (name.type === 'Identifier' && isSchema(init)) {
          schemas.add(name.name)
          text.update(init.start, init.end, 'schemaOfServer')
          continue
        }
        if (
          init.type === 'CallExpression' &&
          init.callee.type === 'Identifier' &&
          init.callee.name === 'endpoint'
        )
          takeOut(
            init.arguments[0] as Node,
            (part, key) => !ofScreens.has(key) && !isForEveryone(part),
            text,
            false,
          )
        text.appendLeft(init.start, '/* @__PURE__ */ (() => (').appendRight(init.end, '))()')
      }
    }
    dropUnused(body, text)
    if (schemas.size > 1) text.prepend(`import { schemaOfServer } from '${marker}'\n`)
    return { code: text.toString(), map: text.generateMap({ hires: true }) }
  },
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle))
      if (file.type === 'chunk')
        for (const [id, { renderedLength }] of Object.entries(file.modules))
          if (renderedLength > 0 && (id.includes(marker) || /node_modules\/zod\//.test(id)))
            this.error(`A screen uses a schema of the contract, which would bring ${id} to ${file.fileName}.`)
  },
})

/** Takes out imports of names that nothing is left of: what they bring belongs to no screen for their sake. */
const dropUnused = (body: readonly Statement[], text: MagicString): void => {
  const imports = body.filter((statement) => statement.type === 'ImportDeclaration')
  const rest = text.toString().replace(/^import\b[^;]*?from\s*['"][^'"]+['"];?$/gms, '')
  for (const { specifiers, start, end } of imports)
    if (
      specifiers.length > 0 &&
      specifiers.every(({ local }) => !new RegExp(`\\b${local.name}\\b`).test(rest))
    )
      text.remove(start, end)
}
