/** What `s3://bucket/prefix?endpoint=…` says. */
export interface S3Place {
  bucket: string
  /** '' or a path that ends in a slash: several installations may share a bucket. */
  prefix: string
  /** Absent for Amazon itself. */
  endpoint: string | undefined
  /** Absent: the usual AWS variables are asked. */
  region: string | undefined
  /** Absent: the usual AWS variables, files and roles are asked. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined
}

const known = ['endpoint', 'region', 'accessKeyId', 'secretAccessKey']

/** Reads an `s3://` address; of one that cannot be used it answers why, as the end of a sentence. */
export const readS3Url = (url: URL): S3Place | { problem: string } => {
  const query = url.searchParams
  const unknown = [...query.keys()].find((name) => !known.includes(name))
  if (unknown !== undefined)
    return { problem: 'its query may hold endpoint, region and the two parts of a key, and nothing else' }
  if (!/^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/.test(url.hostname))
    return {
      problem: 's3:// is followed by the name of a bucket, of small letters, digits, dots and hyphens',
    }
  if (url.username || url.password || url.port || url.hash)
    return {
      problem: 'it is s3://bucket?endpoint=…, with the credentials in the query or in the AWS variables',
    }
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '')
  if (!/^[\w./-]*$/.test(prefix) || prefix.split('/').some((part) => part === '.' || part === '..'))
    return { problem: 'the path after the bucket may have letters, digits, dots, hyphens and slashes' }
  const endpoint = query.get('endpoint') ?? undefined
  if (endpoint !== undefined && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ''))
    return { problem: 'endpoint is the address of the store, such as https://s3.example.edu' }
  const accessKeyId = query.get('accessKeyId')
  const secretAccessKey = query.get('secretAccessKey')
  if (!accessKeyId !== !secretAccessKey) return { problem: 'its query has both parts of the key, or neither' }
  return {
    bucket: url.hostname,
    prefix: prefix ? `${prefix}/` : '',
    endpoint,
    region: query.get('region') ?? undefined,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
  }
}
