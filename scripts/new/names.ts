/** Why nothing was made, as one or two sentences that say what to do. */
export class RefusedName extends Error {}

/** What a module is about, in lower-case words: many of them, and one. */
export interface ModuleName {
  many: readonly string[]
  one: readonly string[]
}

const kebab = /^[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*$/
/** With `_name` behind it, the longest name that an index of PostgreSQL can bear. */
const longest = 58

/**
 * Words of SQL and JavaScript that cannot name a table or a variable. What else is in the way, the templates tell
 * themselves (`isTakenByCode`).
 */
const reserved = new Set(
  `all analyse analyze and any array as asc authorization await binary both break case cast catch check class collate
  collation column concurrently const constraint continue create cross current debugger default deferrable delete desc
  distinct do else end enum except export extends false fetch finally for foreign freeze from full function grant group
  having if ilike implements import in initially inner instanceof interface intersect into is isnull join lateral leading
  left let like limit localtime localtimestamp natural new not notnull null offset on only or order outer overlaps package
  placing primary private protected public references return returning right select session similar some static super
  switch symmetric table tablesample then this throw to trailing true try typeof undefined union unique user using var
  variadic verbose void when where while window with yield`.split(/\s+/),
)

/** One of many by the usual endings: 'boxes' to 'box', 'policies' to 'policy'; undefined where none of them fits. */
const singularOf = (many: string): string | undefined => {
  if (/[^aeiou]ies$/.test(many)) return many.replace(/ies$/, 'y')
  if (/(s|x|z|ch|sh)es$/.test(many)) return many.replace(/es$/, '')
  return /[^s]s$/.test(many) ? many.replace(/s$/, '') : undefined
}

/**
 * Reads what was typed: `lockers`, or with the second word what one of them is called.
 *
 * @throws RefusedName
 */
export const readName = (many: string, one = singularOf(many)): ModuleName => {
  if (!kebab.test(many))
    throw new RefusedName(
      `"${many}" cannot name a module. Name it in lower-case words with hyphens, in the plural: lockers, or parking-permits.`,
    )
  if (one === undefined || one === many)
    throw new RefusedName(
      `"${many}" is no plural that this command knows. Say what one of them is called: npm run new -- module ${many} --one NAME`,
    )
  if (!kebab.test(one))
    throw new RefusedName(
      `"${one}" cannot name one of the ${many}. Name it in lower-case words with hyphens: --one parking-permit`,
    )
  if (Math.max(many.length, one.length) > longest)
    throw new RefusedName(`The name is too long. Choose one of at most ${longest} characters.`)
  const isReserved = [many, one].find((word) => reserved.has(word))
  if (isReserved)
    throw new RefusedName(
      `"${isReserved}" is a word of SQL or JavaScript. Choose two words, such as clinic-${many}.`,
    )
  return { many: many.split('-'), one: one.split('-') }
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
const joinedWords = (words: readonly string[]): string => words.map(capital).join('')

/** The words as they are written there: 'fieldTrip', 'FieldTrip', 'field_trip', 'field-trip', 'field trip', 'Field trip'. */
const spell = (words: readonly string[], isCapital: boolean, between: string): string => {
  const spelled = between === '' ? words[0] + joinedWords(words.slice(1)) : words.join(between)
  return isCapital ? capital(spelled) : spelled
}

/**
 * The text of a template, or a path, with the name in place of 'field trips' in each of its spellings, and 'an' in place of
 * 'a' before a vowel.
 */
export const respell = (text: string, { many, one }: ModuleName): string =>
  text.replace(
    /(\b[Aa] )?([Ff])ield([-_ ]?)[Tt]rip(s?)/g,
    (_, article: string | undefined, first: string, between: string, plural: string) => {
      const words = plural === 's' ? many : one
      const isVowel = /^[aeio]/.test(words[0]!)
      return (article ? `${article.trim()}${isVowel ? 'n' : ''} ` : '') + spell(words, first === 'F', between)
    },
  )

/**
 * The name of a type, a component or a variable of the module that means something else already: in the code of the
 * templates, or everywhere. Undefined where there is none.
 */
export const isTakenByCode = (
  templates: readonly string[],
  { many, one }: ModuleName,
): string | undefined => {
  const code = templates.join('\n').replace(/\/\*\*[\s\S]*?\*\/|'[^'\n]*'/g, '')
  const used = new Set(code.match(/[A-Za-z]\w*/g))
  const own = [many, one].flatMap((words) => [spell(words, false, ''), spell(words, true, '')])
  return own.find((identifier) => used.has(identifier) || identifier in globalThis)
}
