import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { compareBytes } from './install-test/bytes.ts'
import { walkContainer } from './install-test/container.ts'
import { measure } from './install-test/numbers.ts'
import { walkPackage } from './install-test/package.ts'
import { root, SetupError, script } from './lib/process.mjs'

const release = join(root, 'dist', 'release')

const parts: Record<string, (release: string) => Promise<void>> = {
  package: walkPackage,
  container: walkContainer,
  numbers: measure,
  bytes: compareBytes,
}

/**
 * `npm run install-test`: walks `docs/install.md` with what `npm run release` made of this commit, on machines of its own. It needs
 * root, Debian's debootstrap and systemd-container, and many minutes; so it is not part of `npm test`. `--only package` walks one part.
 */
await script(async () => {
  const { values } = parseArgs({ options: { only: { type: 'string' } } })
  if (process.getuid?.() !== 0) throw new SetupError('This test makes machines: run it as root.')
  const wanted = values.only ? [values.only] : Object.keys(parts)
  for (const name of wanted) {
    const walk = parts[name]
    if (!walk) throw new SetupError(`There is no part ${name}: name one of ${Object.keys(parts).join(', ')}.`)
    await walk(release)
  }
  return 0
})
