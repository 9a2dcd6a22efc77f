import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'

export interface Bucket {
  /** A `FILES_URL` with everything in it. */
  url: string
  secret: string
  stop(): Promise<void>
}

/** A store that speaks S3, with one empty bucket, on a free port. */
export const startBucket = async (): Promise<Bucket> => {
  const directory = mkdtempSync(join(tmpdir(), 'practicum-bucket-'))
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: 'files', configs: [] }],
  })
  const { port } = await server.run()
  return {
    url: `s3://files?endpoint=http://127.0.0.1:${port}&accessKeyId=S3RVER&secretAccessKey=S3RVER`,
    secret: 'S3RVER',
    stop: async () => {
      await server.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
