import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/**
 * What is loaded with its first use, once: packages that few calls need, or none before the first answer. Loading takes most of a start
 * and stays in memory (`docs/decisions/typescript-without-a-build.md`).
 */
export const onDemand = <T>(load: () => T): (() => T) => {
  let loaded: { is: T } | undefined
  return () => {
    loaded ??= { is: load() }
    return loaded.is
  }
}

/** A package on demand, by its name; `require` takes modules of either kind. */
export const packageOnDemand = <T>(name: string): (() => T) => onDemand((): T => require(name))
