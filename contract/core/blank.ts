/** Whether a text shows nothing: blanks, and characters that have no picture. */
export const isBlank = (text: string): boolean => /^[\s\p{Default_Ignorable_Code_Point}]*$/u.test(text)
