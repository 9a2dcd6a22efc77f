import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'

const web = join(import.meta.dirname, '..', 'web')

/** Lines of a source on which `import(…).then(…)` has a second handler. */
const twoHandlers = (path: string, text: string): string[] => {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    const { expression, arguments: given } = ts.isCallExpression(node)
      ? node
      : { expression: undefined, arguments: [] }
    if (
      given.length > 1 &&
      expression &&
      ts.isPropertyAccessExpression(expression) &&
      ts.isCallExpression(expression.expression) &&
      expression.expression.expression.kind === ts.SyntaxKind.ImportKeyword
    )
      found.push(`${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

// The build draws the "then" into the import and loads styles before it: what is missing there would reach neither handler.
test('code that comes later is caught with "await" or ".catch", never by a second handler of "then"', () => {
  const paths = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((path) => /\.tsx?$/.test(path))
  const found = paths.flatMap((path) => twoHandlers(path, readFileSync(join(web, path), 'utf8')))
  expect(found).toEqual([])
  expect(twoHandlers('x.ts', `import('./y.ts').then(go, stop)`)).toEqual(['x.ts:1'])
})
