import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs', 'security.md'), 'utf8')

/** Rows of the questionnaire: question, answer, proof. Headings between them have neither. */
const rows = page
  .slice(page.indexOf('| question |'))
  .split('\n')
  .slice(2)
  .filter((line) => line.startsWith('| '))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
const [asked, ofHost] = [
  rows.slice(
    0,
    rows.findIndex(([heading]) => heading === '**The host’s own**' || heading === "**The host's own**"),
  ),
  rows.at(-1)!,
]

test('every answer about security names what proves it, and that is there', () => {
  const answers = asked.filter(([, answer]) => answer !== '')
  expect(answers.length).toBeGreaterThan(30)
  for (const [question, , proof = ''] of answers) {
    const files = [
      ...[...proof.matchAll(/`([^`]+)`/g)].map(([, path]) => path!),
      ...[...proof.matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => join('docs', path!)),
    ]
    expect(files.length, question).toBeGreaterThan(0)
    expect(
      files.filter((path) => !existsSync(join(root, path))),
      question,
    ).toEqual([])
  }
})

test('what only the host can answer is said to be the host’s', () => {
  expect(ofHost[1]).toMatch(/^Of whoever runs the installation/)
})
