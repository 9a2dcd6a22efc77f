/** The terms of the language that a script is built for; undefined for those that the code itself has (`scripts/words-by-use.ts`). */
declare module 'virtual:terms-of-language' {
  const terms:
    | Readonly<
        Record<
          import('#contract/terminology/terminology.ts').TermKey,
          import('#contract/terminology/terminology.ts').TermForms
        >
      >
    | undefined
  export default terms
}
