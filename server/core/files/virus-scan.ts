import { connect } from 'node:net'
import { coreFailures } from '#contract/core/failures.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { metrics } from '#server/core/runtime/metrics.ts'
import type { Services } from '#server/core/runtime/services.ts'
import type { ReceivedFile } from './received-file.ts'

const timeoutMs = 20_000
const chunkBytes = 64 * 1024

/** What clamd answers to a command, such as PING, without the signs around it; bytes follow the command INSTREAM. */
export const askScanner = (url: URL, command: string, bytes?: Uint8Array): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: url.hostname, port: Number(url.port || 3310) })
    const answer: Buffer[] = []
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error('The virus scanner did not answer in time.')))
    socket.on('error', reject)
    socket.on('data', (data) => answer.push(data))
    socket.on('close', () => resolve(Buffer.concat(answer).toString().replaceAll('\0', '').trim()))
    socket.write(`z${command}\0`)
    if (!bytes) return
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      const chunk = bytes.subarray(at, at + chunkBytes)
      const length = Buffer.alloc(4)
      length.writeUInt32BE(chunk.length)
      socket.write(length)
      socket.write(chunk)
    }
    socket.write(Buffer.alloc(4))
  })

/**
 * Has the scanner of `VIRUS_SCANNER_URL` look at a file; without one every file passes.
 *
 * @throws Failure 422 for a file with a virus, 503 when the scanner does not answer: nothing unchecked is kept
 */
export const refuseVirus = async ({ config, log }: Services, file: ReceivedFile): Promise<void> => {
  if (!config.virusScannerUrl) return
  const answer = await askScanner(new URL(config.virusScannerUrl), 'INSTREAM', file.bytes).catch(
    (error: Error) => {
      log.error({ err: error }, 'The virus scanner cannot be reached')
      return ''
    },
  )
  const found = /^stream: (.+) FOUND$/.exec(answer)?.[1]
  const isClean = /\bOK$/.test(answer)
  metrics.virusScan(isClean ? 'clean' : found ? 'found' : 'unreachable')
  if (isClean) return
  if (found) throw fail(coreFailures.virus, { Name: file.name, Virus: found })
  throw fail(coreFailures.scanner, { Name: file.name })
}
