import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { watchOwnFiles } from './own-files.ts'

test('files that went away are told of once, a file that is replaced is not', () => {
  const folder = mkdtempSync(join(tmpdir(), 'practicum-own-files-'))
  const [one, two] = ['one', 'two'].map((name) => join(folder, name)) as [string, string]
  const gone: string[] = []
  vi.useFakeTimers()
  try {
    for (const path of [one, two]) writeFileSync(path, '')
    const watch = watchOwnFiles([one, two], (path) => gone.push(path))
    const check = () => vi.advanceTimersByTime(10_000)
    check()
    rmSync(two)
    check()
    writeFileSync(two, '')
    check()
    check()
    expect(gone).toEqual([])
    rmSync(one)
    for (let times = 0; times < 4; times++) check()
    expect(gone).toEqual([one])
    watch.stop()
  } finally {
    vi.useRealTimers()
    rmSync(folder, { recursive: true, force: true })
  }
})
