import { hash, verify } from '@node-rs/argon2'
import { commonPasswords } from './common-passwords.ts'
import { ruleBroken } from './failure.ts'

/** argon2id with the parameters of the OWASP recommendation: 19 MiB, 2 passes, 1 lane. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string): Promise<string> => hash(password, parameters)

let decoy: Promise<string> | undefined

/** Checks a password; for an account without one, or none at all, it takes the same time and is false. */
export const verifyPassword = async (kept: string | null | undefined, password: string): Promise<boolean> => {
  decoy ??= hashPassword('a password that nobody has, only for its time')
  const isRight = await verify(kept ?? (await decoy), password).catch(() => false)
  return isRight && Boolean(kept)
}

const productWords = ['practicum']

/**
 * Refuses passwords that are guessed first (product 2 #26): common ones, the user name, the product's own words.
 *
 * @throws Failure 422 with the name of the field
 */
export const checkNewPassword = (password: string, userName: string, field = 'Password'): void => {
  const plain = password.toLowerCase()
  const bare = plain.replace(/[^a-z]/g, '')
  if (commonPasswords.has(plain)) {
    throw ruleBroken(
      'password_common',
      'This password is among the most used ones. Choose another.',
      'Password',
    )
  }
  if (plain.includes(userName.toLowerCase()) && userName.length >= 3) {
    throw ruleBroken(
      'password_name',
      'The password must not contain the user name. Choose another.',
      'Password',
    )
  }
  if (productWords.includes(bare)) {
    throw ruleBroken('password_common', 'This password is easy to guess. Choose another.', field)
  }
}
