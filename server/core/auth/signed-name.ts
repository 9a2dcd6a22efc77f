const plain = (name: string): string => name.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim()

/** Whether somebody who signs by typing a name typed this one: capitals and extra blanks do not count. */
export const isSignedAs = (typed: string, name: string): boolean => plain(typed) === plain(name)
