import MagicString from 'magic-string'
import type { Plugin } from 'vite'

/** What only the server reads of an endpoint: the schemas check there, the texts describe it there. */
const ofServer = new Set(['params', 'query', 'body', 'answer', 'summary', 'errors'])

/**
 * The contract as the screens need it: where a call lies and who may make it. The server checks what is sent, so the schemas
 * and the library that makes them (a quarter of what a phone would load and run before its first picture) stay there. Whatever the
 * contract computes when it loads is marked as free of effects, so that the build leaves out what no screen names.
 */
export const contractOfScreens = (): Plugin => ({
  name: 'contract-of-screens',
  apply: 'build',
  transform(code, id) {
    if (!/\/contract\/([\w-]+\/)?[\w-]+\.ts$/.test(id)) return undefined
    // It only prepares the library.
    if (id.endsWith('/no-eval.ts')) return { code: '', map: null }
    const text = new MagicString(code)
    for (const statement of this.parse(code).body) {
      const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
      if (declared?.type !== 'VariableDeclaration') continue
      for (const { init } of declared.declarations) {
        if (!init || /Function/.test(init.type) || !code.slice(init.start, init.end).includes('(')) continue
        const isEndpoint =
          init.type === 'CallExpression' &&
          init.callee.type === 'Identifier' &&
          init.callee.name === 'endpoint'
        const [declaration] = isEndpoint ? init.arguments : []
        if (declaration?.type === 'ObjectExpression')
          for (const part of declaration.properties)
            if (part.type === 'Property' && part.key.type === 'Identifier' && ofServer.has(part.key.name))
              text.update(part.start, part.end, `${part.key.name}: undefined`)
        text.appendLeft(init.start, '/* @__PURE__ */ (() => (').appendRight(init.end, '))()')
      }
    }
    return { code: text.toString(), map: text.generateMap({ hires: true }) }
  },
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle))
      if (file.type === 'chunk')
        for (const [id, { renderedLength }] of Object.entries(file.modules))
          if (renderedLength > 0 && /node_modules\/zod\//.test(id))
            this.error(`A screen uses a schema of the contract, which would bring ${id} to ${file.fileName}.`)
  },
})
