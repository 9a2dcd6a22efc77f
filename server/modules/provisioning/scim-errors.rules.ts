/** What RFC 7644 3.12 calls the kinds of a bad request. */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness'

/** A refusal in SCIM’s own shape. The message is for the administrator who reads the provider’s log. */
export class ScimError extends Error {
  override name = 'ScimError'
  readonly status: number
  readonly scimType: ScimType | undefined
  readonly retryAfterSeconds: number | undefined
  constructor(
    status: number,
    message: string,
    more: { scimType?: ScimType; retryAfterSeconds?: number } = {},
  ) {
    super(message)
    this.status = status
    this.scimType = more.scimType
    this.retryAfterSeconds = more.retryAfterSeconds
  }
}

export const badRequest = (scimType: ScimType, message: string): ScimError =>
  new ScimError(400, message, { scimType })

export const noResource = (id: string): ScimError => new ScimError(404, `Resource ${id} not found.`)
