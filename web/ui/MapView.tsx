import { lazy, Suspense } from 'react'
import { plainWords } from '#web/words/plain-words.ts'
import classes from './MapView.module.css'
import type { MapViewProps } from './map/map-types.ts'

/** A place on the map. */
const LeafletMap = lazy(() => import('./map/LeafletMap.tsx').then((m) => ({ default: m.LeafletMap })))

/** A map that works without internet. Its code and outlines are loaded when it first comes to the screen. */
export function MapView(props: MapViewProps) {
  return (
    <section className={classes.map} style={{ height: props.height }} aria-label={props.label}>
      <Suspense
        fallback={<div className={classes.waiting} role="status" aria-label={plainWords('ui.mapLoading')} />}
      >
        <LeafletMap {...props} />
      </Suspense>
      {props.card && <div className={classes.card}>{props.card}</div>}
    </section>
  )
}
