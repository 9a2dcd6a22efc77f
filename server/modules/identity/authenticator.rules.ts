import { randomInt, timingSafeEqual } from 'node:crypto'
import { generateSecret, generateSync } from 'otplib'
import { totpLink } from '#contract/identity/authenticator.ts'

/** What a person's authenticator is sealed for: a sealed secret opens for its own account only. */
export const totpContext = (accountId: number): string => `authenticator ${accountId}`

/** 160 bits in base32. */
export const newSecret = (): string => generateSecret()

/**
 * The 30-second step that a code belongs to: the running one, the one before or the one after, because clocks differ.
 * Undefined when it is of none.
 */
export const stepOfCode = (
  secret: string,
  code: string,
  nowSeconds = Math.floor(Date.now() / 1000),
): number | undefined => {
  const { digits, periodSeconds } = totpLink
  const typed = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(typed)) return undefined
  const running = Math.floor(nowSeconds / periodSeconds)
  return [running, running - 1, running + 1].find((step) =>
    timingSafeEqual(
      Buffer.from(
        generateSync({
          secret,
          algorithm: 'sha1',
          digits,
          period: periodSeconds,
          epoch: step * periodSeconds,
        }),
      ),
      Buffer.from(typed),
    ),
  )
}

/** Without letters and digits that are mistaken for each other. */
const signs = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Two groups of five: about 50 bits, such as `k7m2p-x9rtq`. */
export const newRecoveryCode = (): string => {
  const group = () => Array.from({ length: 5 }, () => signs[randomInt(signs.length)]).join('')
  return `${group()}-${group()}`
}

/** The code as it is hashed: people type capitals, spaces, and forget the hyphen. Undefined for what is no such code. */
export const readRecoveryCode = (typed: string): string | undefined => {
  const bare = typed.toLowerCase().replace(/[\s-]/g, '')
  return bare.length === 10 ? `${bare.slice(0, 5)}-${bare.slice(5)}` : undefined
}
