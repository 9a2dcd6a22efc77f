import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
/** The router is made at run time and knows no paths by type; screens reach it through this file. */
const untyped = 'web/api/navigate.ts'

const isSource = (path: string): boolean =>
  /\.(ts|tsx|mjs)$/.test(path) && !/\.(test|fixture)\.tsx?$|^server\/test\/|database\/types\.ts$/.test(path)

const sources = ['contract', 'server', 'web', 'scripts', 'bench'].flatMap((side) =>
  readdirSync(join(root, side), { recursive: true, encoding: 'utf8' })
    .map((path) => `${side}/${path.replaceAll('\\', '/')}`)
    .filter(isSource),
)

/** An element of a list or map: `noUncheckedIndexedAccess` asks for the mark wherever an index is known to be there. */
const isElement = (node: ts.Expression): boolean =>
  ts.isElementAccessExpression(node) ||
  (ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    ['at', 'get'].includes(node.expression.name.text))

/** `isGiven !== undefined && use(isGiven!)`: the statement asks itself, where the types cannot follow into a callback. */
const isAskedFor = (node: ts.Expression): boolean => {
  let statement: ts.Node = node
  while (!ts.isStatement(statement) && statement.parent) statement = statement.parent
  const [text, around] = [node.getText(), statement.getText()]
  return [
    `${text} !== undefined`,
    `${text} !== null`,
    `${text} === null`,
    `${text} &&`,
    `Boolean(${text})`,
  ].some((condition) => around.includes(condition))
}

/** What overrules the types in a source without a comment on its line, or above it and the lines like it. */
const findBare = (path: string, text: string): string[] => {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const lines = text.split('\n')
  /** The lines it ends on, each with the line it begins on. */
  const overruled = new Map<number, number>()
  const lineAt = (position: number): number => file.getLineAndCharacterOfPosition(position).line
  const visit = (node: ts.Node): void => {
    const isOverruled =
      node.kind === ts.SyntaxKind.AnyKeyword ||
      (ts.isNonNullExpression(node) && !isElement(node.expression) && !isAskedFor(node.expression)) ||
      (ts.isAsExpression(node) &&
        (node.type.kind === ts.SyntaxKind.NeverKeyword
          ? path !== untyped
          : ts.isAsExpression(node.expression) && node.expression.type.kind === ts.SyntaxKind.UnknownKeyword))
    if (isOverruled) overruled.set(lineAt(node.getEnd()), lineAt(node.getStart()))
    ts.forEachChild(node, visit)
  }
  visit(file)
  const isComment = (line: string): boolean => /^(\/\/|\/?\*|\{\/\*|: \/\/ )/.test(line.trim())
  /** A loop or condition without braces, whose comment is above both. */
  const isHead = (line: string): boolean => /^\s*(for|if) \(.*\)$/.test(line)
  const hasReason = (line: number): boolean => {
    if (/\/\/ |\*\//.test(lines[line]!)) return true
    const above = lines[line - 1]
    if (above === undefined) return false
    return isComment(above) || ((isHead(above) || overruled.has(line - 1)) && hasReason(line - 1))
  }
  return [...overruled]
    .filter(([end, begin]) => !hasReason(end) && !hasReason(begin))
    .map(([line]) => `${path}:${line + 1} ${lines[line]!.trim()}`)
}

describe('E2 what overrules the types', () => {
  test('has its reason beside it', () => {
    expect(sources.flatMap((path) => findBare(path, readFileSync(join(root, path), 'utf8')))).toEqual([])
  })

  test.each([
    ['const a = found!', 1],
    ['// One row: by its key.\nconst a = found!', 0],
    ['const a = found! // by its key', 0],
    ['// Both are required.\nconst a = one!\nconst b = other!', 0],
    ['const a = rows[0]! + rows.at(-1)! + byId.get(1)!', 0],
    ['const a = given !== undefined && use(() => given!)', 0],
    ['const a = given as unknown as string', 1],
    ['const a = given as never', 1],
    ['let a: any', 1],
  ])('is found in %j: %i', (text, count) => {
    expect(findBare('server/example.ts', text)).toHaveLength(count)
  })
})
