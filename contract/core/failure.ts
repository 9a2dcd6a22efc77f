import type { Text, Translated } from '#contract/language/texts.ts'

export type FailureStatus = 400 | 401 | 403 | 404 | 408 | 409 | 413 | 415 | 417 | 422 | 429 | 431 | 500 | 503

/** A failure as it is declared: a status, a code for programs, and a text for people: what happened, what was kept, what to do. */
export interface DeclaredFailure<E extends string = string> extends Text<E> {
  readonly status: FailureStatus
  readonly code: string
}

/** A failure whose code may be its name in the list of its domain. */
interface NamedFailure<E extends string> extends Text<E> {
  readonly status: FailureStatus
  readonly code: string | undefined
}

/**
 * Declares a failure by its English text, or by one for each language: Spanish where students, graduates, supervisors and people of sites
 * meet it. Its code is its name unless it shares the `code` of another one.
 */
export const failure = <const E extends string, const S extends string>(
  status: FailureStatus,
  text: E | { en: E; es?: Translated<E, S>; code?: string },
): NamedFailure<E> => ({ status, code: undefined, ...(typeof text === 'string' ? { en: text } : text) })

/** Not there, or not the caller's: the two are never told apart, so that nobody learns what exists. */
export const missing = <const W extends string>(
  what: W,
): NamedFailure<`${W} does not exist, or you do not have access to it.`> => ({
  status: 404,
  code: 'not_found',
  en: `${what} does not exist, or you do not have access to it.`,
  es: 'No existe o no tiene acceso.',
})

/** A list that names what is not there, or not the caller's. `things` is what they are, such as `shifts`. */
export const missingAmong = (things: string): NamedFailure<`${string}{Ids}${string}`> => ({
  status: 404,
  code: 'not_found',
  en: `These ${things} do not exist, or you do not have access to them: {Ids}. Nothing was changed. Load the list again.`,
  es: 'No existen o no tiene acceso a ellos: {Ids}. No se cambió nada. Vuelva a cargar la lista.',
})

/** The failures of a domain, each declared once. */
export const failures = <const F extends Readonly<Record<string, NamedFailure<string>>>>(
  declared: F,
): { readonly [N in keyof F]: F[N] extends NamedFailure<infer E> ? DeclaredFailure<E> : never } =>
  // The same failures by the same names, each with its code.
  Object.fromEntries(
    Object.entries(declared).map(([name, each]) => [name, { ...each, code: each.code ?? name }]),
  ) as never

/** One text under several codes, whose values tell more. */
export const failuresOf = <const C extends string, E extends string>(
  codes: readonly C[],
  each: NamedFailure<E>,
): Readonly<Record<C, DeclaredFailure<E>>> =>
  // One for each code.
  Object.fromEntries(codes.map((code) => [code, { ...each, code }])) as never
