import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { coreFailures } from '#contract/core/failures.ts'
import { fail } from '#server/core/runtime/failure.ts'
import { createTurns } from '#server/core/runtime/turns.ts'
import { commonPasswords } from './common-passwords.ts'

/** argon2id with the parameters of the OWASP recommendation: 19 MiB, 2 passes, 1 lane. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** One processor stays free for everybody who has signed in already. */
const turns = createTurns(Math.max(1, availableParallelism() - 1), 100)

const inTurn = async <T>(work: () => Promise<T>, isFirst?: boolean): Promise<T> => {
  const leave = await turns.enter(isFirst)
  try {
    return await work()
  } finally {
    leave()
  }
}

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password, parameters))

let decoy: Promise<string> | undefined

/**
 * Checks a password; for an account without one, or none at all, it takes the same time and is false. Of many at a time, those of
 * people who have signed in go first.
 */
export const verifyPassword = async (
  kept: string | null | undefined,
  password: string,
  { isSignedIn = false } = {},
): Promise<boolean> => {
  decoy ??= hashPassword('a password that nobody has, only for its time')
  const against = kept ?? (await decoy)
  const isRight = await inTurn(() => verify(against, password).catch(() => false), isSignedIn)
  return isRight && Boolean(kept)
}

const productWords = ['practicum']

/** Runs: letters and digits in order, and the rows and columns of the keyboard. */
const ways = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiop[]',
  "asdfghjkl;'",
  'zxcvbnm,./',
  '!@#$%^&*()',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/',
].flatMap((way) => [way, [...way].reverse().join('')])

/** How many characters from `start` on repeat one character or follow one run. */
const easyLength = (text: string, start: number): number => {
  let repeated = 1
  while (text[start + repeated] === text[start]) repeated++
  let along = 1
  while (
    start + along < text.length &&
    ways.some((way) => way.includes(text.slice(start, start + along + 1)))
  )
    along++
  return Math.max(repeated, along)
}

const minChoices = 6

/** Whether a password is made of repetitions and runs: one of any length is guessed as quickly as two characters. */
const isRun = (text: string): boolean => {
  if (/^(.{1,4})\1+$/s.test(text)) return true
  let choices = 0
  for (let at = 0; at < text.length; ) {
    const length = easyLength(text, at)
    choices += length >= 3 ? 2 : 1
    at += length >= 3 ? length : 1
  }
  return choices < minChoices
}

/**
 * Refuses passwords that are guessed first: common ones, repetitions and runs, the user name, the product's
 * own words.
 *
 * @throws Failure 422 with the name of the field
 */
export const checkNewPassword = (password: string, userName: string, field = 'Password'): void => {
  const plain = password.toLowerCase()
  const bare = plain.replace(/[^a-z]/g, '')
  if (commonPasswords.has(plain)) {
    throw fail(coreFailures.password_most_used, field)
  }
  if (isRun(plain)) {
    throw fail(coreFailures.password_run, field)
  }
  if (plain.includes(userName.toLowerCase()) && userName.length >= 3) {
    throw fail(coreFailures.password_name, field)
  }
  if (productWords.includes(bare)) {
    throw fail(coreFailures.password_easy, field)
  }
}
