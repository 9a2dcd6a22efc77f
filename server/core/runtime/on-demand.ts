/**
 * What is loaded with its first use, once: packages that few calls need, or none before the first answer. Loading takes most of a start
 * and stays in memory (`docs/decisions/typescript-without-a-build.md`). `load` calls `require`, which takes modules of either kind.
 */
export const onDemand = <T>(load: () => T): (() => T) => {
  let loaded: { is: T } | undefined
  return () => {
    loaded ??= { is: load() }
    return loaded.is
  }
}
