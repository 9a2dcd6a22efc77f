import { isBlank } from './blank.ts'

/** What people type in a form of its own: the same in forms, imports, directories and rosters. */
export type Writing = 'phone' | 'postalCode' | 'name'

/** Words beside the digits of a phone number. */
const phoneWords =
  /(?<!\p{L})(ext(ension|n)?|x|int|anexo|tel|phone|cell|mobile|home|work|office|main|direct|fax|pager|or)(?!\p{L})/giu

/** What is dialed behind a number, which a hospital may have with few digits. */
const extension = /(?:(?<!\p{L})(?:ext(?:ension|n)?|x|int|anexo)|#)[^\p{L}\p{Nd}]*\p{Nd}+/giu
const leastDigits = 7

const isPhone = (text: string): boolean =>
  /^[\p{Nd}\s()[\]+./,;:=&*#–‑-]*$/u.test(text.replace(phoneWords, ' ')) &&
  !/^\s*[–‑-]/.test(text) &&
  (text.replace(extension, '').match(/\p{Nd}/gu) ?? []).length >= leastDigits

const isPostalCode = (text: string): boolean =>
  /^[\p{L}\p{Nd}][\p{L}\p{Nd}\s.–-]*$/u.test(text) && /\p{Nd}/u.test(text) && text.length >= 3

const writings: Record<Writing, { fits: (text: string) => boolean; problem: string }> = {
  phone: {
    fits: isPhone,
    problem: 'must be a phone number of at least 7 digits such as (508) 555-0142 or +44 20 7946 0958 ext. 12',
  },
  postalCode: { fits: isPostalCode, problem: 'must be a ZIP or postal code such as 02740 or K1A 0B1' },
  name: {
    fits: (text) => /[\p{L}\p{N}]/u.test(text),
    problem: 'must have at least one letter or digit',
  },
}

/** What is wrong with a text, as it goes on after the field's label; an empty one is none, and fits. */
export const writingProblem = (writing: Writing, text: string): string | undefined =>
  isBlank(text) || writings[writing].fits(text.trim()) ? undefined : writings[writing].problem
