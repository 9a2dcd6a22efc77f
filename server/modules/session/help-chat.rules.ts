import { createHmac } from 'node:crypto'

/** How long a token lives; the widget asks for another one when it needs it. */
const tokenSeconds = 600

interface Asker {
  Id: number
  Name: string
  EmailAddress: string
  IsEmailAddressConfirmed: boolean
}

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/**
 * The JSON web token (HS256) by which the help desk knows who writes: the key is named in the header, the person by id, name
 * and address. `now` is in seconds.
 */
export const helpChatToken = (
  { keyId, secret }: { keyId: string; secret: string },
  user: Asker,
  now: number,
): string => {
  const head = part({ alg: 'HS256', typ: 'JWT', kid: keyId })
  const claims = part({
    scope: 'user',
    external_id: String(user.Id),
    name: user.Name,
    ...(user.EmailAddress && { email: user.EmailAddress, email_verified: user.IsEmailAddressConfirmed }),
    iat: now,
    exp: now + tokenSeconds,
  })
  const signature = createHmac('sha256', secret).update(`${head}.${claims}`).digest('base64url')
  return `${head}.${claims}.${signature}`
}
