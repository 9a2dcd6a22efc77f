import { text } from '#contract/language/texts.ts'

/** Whoever did something that nobody is named for. */
export const someone = text('Someone', 'Alguien')

/** Ids, of which only the first are named. */
export const idsAndMore = text('{Ids} and {More} more', '{Ids} y {More} más')

export const chooseFile = text('Choose a file.', 'Elija un archivo.')

// What is said in the place of a file's name
export const theFile = text('The file', 'El archivo')
export const thePhoto = text('The photo', 'La foto')
export const thePicture = text('The picture', 'La imagen')
