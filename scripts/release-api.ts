import { writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describedCalls } from './lib/api-client.ts'
import { promisesOf } from './lib/compatibility.ts'
import { releasedFile } from './lib/released-api.ts'

/** `npm run release-api`: at a release, the calls as they are become what later ones must stay compatible with. */
const promises = promisesOf(describedCalls())
writeFileSync(releasedFile, gzipSync(JSON.stringify(promises), { level: 9 }))
console.log(`Wrote ${Object.keys(promises).length} calls to ${releasedFile}`)
