import type { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { ConfigError } from '#server/core/config/config.ts'
import type { S3Place } from '#server/core/config/s3-url.ts'
import { checkFileKey, type FileStore, newFileKey } from '#server/core/runtime/file-store.ts'

const reasonOf = (error: unknown, { bucket, endpoint }: S3Place): string => {
  const { name, code, $metadata } = error as {
    name?: string
    code?: string
    $metadata?: { httpStatusCode?: number }
  }
  const status = $metadata?.httpStatusCode
  if (name === 'CredentialsProviderError') return 'no credentials are in its query or in the AWS variables'
  if (status === 404) return `the bucket ${bucket} does not exist`
  if (status === 403 || status === 401) return `the store refuses these credentials for the bucket ${bucket}`
  if (status === 301 || status === 400)
    return `the bucket ${bucket} is not in this region: name it by region=`
  return `${endpoint ?? 'the store'} does not answer${code ? ` (${code})` : ''}`
}

const partBytes = 8 * 2 ** 20

/**
 * Cuts a body into buffers of at least the 5 MiB that the protocol asks of a part. Bodies are never handed over as streams:
 * one that breaks off would leave the store to decide what the bytes so far are worth.
 */
async function* inParts(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Buffer, undefined> {
  let waiting: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    waiting.push(chunk)
    size += chunk.length
    if (size < partBytes) continue
    yield Buffer.concat(waiting)
    waiting = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(waiting)
}

/**
 * Files in a bucket. An object is there whole or not at all, so that nobody reads a half-written file.
 *
 * @throws ConfigError when the bucket cannot be used
 */
export const openBucket = async (place: S3Place): Promise<FileStore> => {
  const client = new S3Client({
    region: place.region ?? process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION ?? 'us-east-1',
    ...(place.endpoint && { endpoint: place.endpoint, forcePathStyle: true }),
    ...(place.credentials && { credentials: place.credentials }),
    // Not every store that speaks the protocol knows its newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // A call holds its transaction meanwhile.
    requestHandler: { connectionTimeout: 3_000, socketTimeout: 20_000 },
  })
  const at = (key: string) => ({ Bucket: place.bucket, Key: place.prefix + checkFileKey(key) })
  try {
    await client.send(new HeadBucketCommand({ Bucket: place.bucket }))
  } catch (error) {
    client.destroy()
    throw new ConfigError(`FILES_URL cannot be used: ${reasonOf(error, place)}.`)
  }
  return {
    put: async (bytes) => {
      const key = newFileKey()
      await client.send(new PutObjectCommand({ ...at(key), Body: bytes, ContentLength: bytes.length }))
      return key
    },
    place: async (key, body) => {
      const target = at(key)
      const parts = inParts(body)
      const first = await parts.next()
      const second = await parts.next()
      if (second.done) {
        await client.send(new PutObjectCommand({ ...target, Body: first.value ?? Buffer.alloc(0) }))
        return
      }
      const { UploadId } = await client.send(new CreateMultipartUploadCommand(target))
      const Parts: { PartNumber: number; ETag: string | undefined }[] = []
      const send = async (Body: Buffer) => {
        const PartNumber = Parts.length + 1
        const { ETag } = await client.send(new UploadPartCommand({ ...target, UploadId, PartNumber, Body }))
        Parts.push({ PartNumber, ETag })
      }
      try {
        // A second part came, so there is a first.
        await send(first.value!)
        await send(second.value)
        for await (const part of parts) await send(part)
        const MultipartUpload = { Parts }
        await client.send(new CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload }))
      } catch (error) {
        await client.send(new AbortMultipartUploadCommand({ ...target, UploadId })).catch(() => {})
        throw error
      }
    },
    read: async (key) => {
      const { Body } = await client.send(new GetObjectCommand(at(key)))
      return Body as Readable
    },
    remove: async (key) => {
      await client.send(new DeleteObjectCommand(at(key)))
    },
    list: async function* () {
      const pages = paginateListObjectsV2({ client }, { Bucket: place.bucket, Prefix: place.prefix })
      for await (const { Contents = [] } of pages)
        for (const { Key = '', Size = 0 } of Contents)
          yield { key: Key.slice(place.prefix.length), byteCount: Size }
    },
  }
}
