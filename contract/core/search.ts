/** Letters that are no letter with a mark, and what people type for them. */
const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
}
const letter = new RegExp(`[${Object.keys(letters).join('')}]`, 'gu')
/** Accents and other marks, vowel points of Hebrew and Arabic, apostrophes of every kind, and signs that nobody sees. */
const dropped =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each mark is matched by itself, whatever letter it follows.
  /['`\u00b4\u02b9\u02bb-\u02bd\u02bf\u02c8\u02ca\u02cb\u2018-\u201b\u2032\u2035\u00ad\u061c\u0640\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]|[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/gu
/** Blanks, commas, and hyphens and dashes of every kind. */
const between = /[\t-\r\u0020,\-\u0085\u058a\u05be\u060c\u1680\u2010-\u2015\u2028\u2029\u2212\u3001]/gu
/** Falls into a blank and an accent otherwise. */
const acute = /\u00b4/gu

/**
 * A text as every search compares it: without case, accents and apostrophes, with blanks for commas and hyphens.
 * The database's `search_key` answers the same.
 */
export const searchKey = (text: string): string =>
  text
    .replace(acute, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(letter, (sign) => letters[sign]!)
    .replace(dropped, '')
    .replace(between, ' ')

/** Between two signs of a script whose names are written without a blank: 张伟 is 张, 伟 in every list. */
const unspaced =
  /(?<=[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}])(?=[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}])/gu

/** Most words of a search that are looked for: the longest, which find the fewest. */
const mostWords = 12

/** The words that a text must hold to be found, in any order. What another word holds already is left out. */
export const searchWords = (search: string): string[] => {
  const spaced = search.normalize('NFC').replace(unspaced, ' ')
  const words = [...new Set(searchKey(spaced).split(' '))].filter(Boolean)
  const telling = words.filter((word) => !words.some((other) => other !== word && other.includes(word)))
  return telling.toSorted((a, b) => b.length - a.length).slice(0, mostWords)
}

/** Whether a search finds a text, for asking about many texts. */
export const finder = (search: string): ((text: string) => boolean) => {
  const words = searchWords(search)
  return (text) => {
    const key = searchKey(text)
    return words.every((word) => key.includes(word))
  }
}
