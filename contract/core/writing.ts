import { isBlank } from './blank.ts'

/** What people type in a form of its own: the same in forms, imports, directories and rosters. */
export type Writing = 'phone' | 'postalCode' | 'name' | 'website'

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

/**
 * The address that a website opens, with https where people leave the scheme out; undefined for whatever else a text is, such as a script
 * or a user name before the host.
 */
export const webAddressOf = (text: string): string | undefined => {
  const written = text.trim()
  const hasScheme = /^https?:\/\//i.test(written)
  const address = hasScheme ? written : `https://${written}`
  const url = /\s/.test(written) ? null : URL.parse(address)
  if (!url || url.username || url.password) return undefined
  return hasScheme || /\.(\p{L}{2,}|xn--[a-z\d-]+)$/u.test(url.hostname) ? address : undefined
}

const forms: Record<Writing, (text: string) => boolean> = {
  phone: isPhone,
  postalCode: isPostalCode,
  name: (text) => /[\p{L}\p{N}]/u.test(text),
  website: (text) => webAddressOf(text) !== undefined,
}

/** Whether a text is in its form, or empty. */
export const fitsForm = (writing: Writing, text: string): boolean =>
  isBlank(text) || forms[writing](text.trim())
