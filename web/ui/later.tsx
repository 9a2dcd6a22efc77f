import { type ComponentType, createElement, lazy, Suspense } from 'react'

/** A component whose code comes when it is shown for the first time; nothing is in its place until then. */
export const later = <Props extends object>(load: () => Promise<ComponentType<Props>>) => {
  const Loaded = lazy(() => load().then((component) => ({ default: component })))
  return (props: Props) => <Suspense fallback={null}>{createElement<Props>(Loaded, props)}</Suspense>
}
