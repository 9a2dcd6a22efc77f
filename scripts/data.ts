import { parseArgs } from 'node:util'
import { migrate } from '../server/core/database/migrate.ts'
import { generate } from '../server/demo/generate.ts'
import { onInstallation } from './lib/command.ts'

/** `npm run data -- --scale S [--today YYYY-MM-DD] [--seed N]`: fills an empty installation at S times the demo. */
const { values } = parseArgs({
  options: {
    scale: { type: 'string', default: '1' },
    today: { type: 'string' },
    seed: { type: 'string', default: '2026' },
  },
})
const scale = Number(values.scale)
if (!Number.isInteger(scale) || scale < 1 || scale > 1_000) {
  console.error('--scale is a whole number from 1 to 1000.')
  process.exit(2)
}
const width = 40
const draw = (done: number, all: number): void => {
  const full = Math.round((done / all) * width)
  const line = `[${'#'.repeat(full)}${' '.repeat(width - full)}] ${done} of ${all} programs`
  if (process.stdout.isTTY) process.stdout.write(`\r${line}`)
  else if (done === all || done % 10 === 0) console.log(line)
}
await onInstallation({ attach: true }, async ({ ownerUrl, migrations, log, care }) => {
  await migrate({ ownerUrl, folder: migrations, log, care })
  const started = Date.now()
  await generate(ownerUrl, {
    scale,
    today: values.today,
    seed: Number(values.seed),
    onProgress: draw,
  })
  console.log(`\nDone in ${Math.round((Date.now() - started) / 1000)} s.`)
})
