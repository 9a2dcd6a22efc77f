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

const forms: Record<Writing, (text: string) => boolean> = {
  phone: isPhone,
  postalCode: isPostalCode,
  name: (text) => /[\p{L}\p{N}]/u.test(text),
}

/** Whether a text is in its form, or empty. */
export const fitsForm = (writing: Writing, text: string): boolean =>
  isBlank(text) || forms[writing](text.trim())
