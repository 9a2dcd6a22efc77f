import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fillDisk, killEmbedded, killGoingBack, killServed } from '../server/test/upgrade-kills.ts'

/**
 * `npm run upgrade-test -- --moments 20 --seed 1`: kills updates at random moments, of the embedded database and of one of `DATABASE_URL`,
 * and going back from them, fills a small disk beneath one, and proves that each ends whole. `npm test` kills at three moments.
 */
const { values } = parseArgs({
  options: { moments: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' } },
})
const [moments, seed] = [Number(values.moments), Number(values.seed)]
const folder = mkdtempSync(join(tmpdir(), 'practicum-upgrade-'))
chmodSync(folder, 0o755)
const tell = (line: string): void => console.log(line)
try {
  const parts = [
    await killEmbedded({ folder: mkdtempSync(join(folder, 'embedded-')), moments, seed, tell }),
    await killServed({ folder: mkdtempSync(join(folder, 'served-')), moments, seed: seed + 1, tell }),
    await killGoingBack({ folder: mkdtempSync(join(folder, 'back-')), moments, seed: seed + 2, tell }),
    await fillDisk({ folder: mkdtempSync(join(folder, 'disk-')), tell }),
  ]
  if (parts.at(-1) === undefined)
    console.log('The full disk was left out: this machine mounts no small one (it needs root).')
  const problems = parts.flatMap((part) => part ?? [])
  console.log(problems.length === 0 ? 'Every update ended whole.' : problems.join('\n'))
  process.exitCode = problems.length === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
