/** A text without the characters that have no picture. */
export const withoutInvisible = (text: string): string =>
  text.replace(/\p{Default_Ignorable_Code_Point}/gu, '')

/** Whether a text shows nothing: blanks, and characters that have no picture. */
export const isBlank = (text: string): boolean => withoutInvisible(text).trim() === ''

/** A line as it is kept: without blanks around it, and empty where it shows nothing. */
export const tidyLine = (text: string): string => (isBlank(text) ? '' : text.normalize('NFC').trim())
