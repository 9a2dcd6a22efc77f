import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Promised } from './compatibility.ts'

/** The calls of the last release, as `npm run release-api` wrote them. */
export const releasedFile = join(import.meta.dirname, '..', '..', 'contract', 'released.json.gz')

export const readReleased = (): Record<string, Promised> =>
  JSON.parse(gunzipSync(readFileSync(releasedFile)).toString('utf8'))
