import 'leaflet/dist/leaflet.css'
import { names, type OutlinePart, parts } from 'virtual:map-outlines'
import { IconFocusCentered, IconMinus, IconPlus } from '@tabler/icons-react'
import {
  type Circle,
  canvas,
  circle,
  divIcon,
  type LatLngBounds,
  type LayerGroup,
  type Map as LeafletMapObject,
  latLngBounds,
  layerGroup,
  map as makeMap,
  marker,
  point as pixel,
  polygon,
  polyline,
  tileLayer,
} from 'leaflet'
import { useEffect, useRef, useState } from 'react'
import { plainWords } from '#web/words/plain-words.ts'
import { cluster } from './clusters.ts'
import classes from './LeafletMap.module.css'
import type { MapPoint, MapViewProps } from './map-types.ts'
import { type Drawing, drawingOf, isIn } from './outlines.ts'

const unitedStates = latLngBounds([24.5, -125], [49.5, -66.5])
/** In px: few places are drawn apart as soon as their tags have room, many need room around their circles. */
const clusterSize = { few: 40, many: 84 }
const few = 60
const nameZoom = 5
const closeZoom = 7
const alone = 13
const townZoom = 9

function color(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--p-${name}`).trim()
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

function pinHtml(place: MapPoint, isSelected: boolean): string {
  const figure = isSelected && place.figure ? ` <small>${escapeHtml(place.figure)}</small>` : ''
  return `<span class="${classes.pin}" data-tone="${place.tone ?? 'plain'}"${isSelected ? ' data-selected' : ''}>${escapeHtml(place.tag)}${figure}</span>`
}

/** Leaflet behind `MapView`: outlines or tiles, clusters, pins that can be reached by keyboard. */
export function LeafletMap(props: MapViewProps) {
  const box = useRef<HTMLDivElement>(null)
  const [leaflet, setLeaflet] = useState<LeafletMapObject>()
  const latest = useRef(props)
  latest.current = props
  const { points, selectedId, tileUrl, tileCredit, home, isWaiting } = props
  const hasFitted = useRef(false)

  useEffect(() => {
    // Effects run after the box is drawn.
    const made = makeMap(box.current!, {
      zoomControl: false,
      attributionControl: Boolean(tileUrl),
      preferCanvas: true,
      minZoom: 3,
      maxZoom: 18,
      // No motion on data; and a map that is left while it zooms would look for panes that are gone.
      zoomAnimation: false,
      markerZoomAnimation: false,
      worldCopyJump: true,
    })
    made.fitBounds(unitedStates)
    made.on('moveend', () => {
      const bounds = made.getBounds()
      latest.current.onBoundsChange?.({
        south: bounds.getSouth(),
        west: bounds.getWest(),
        north: bounds.getNorth(),
        east: bounds.getEast(),
      })
    })
    made.on('click', (event) => latest.current.onPick?.({ lat: event.latlng.lat, lng: event.latlng.lng }))
    const watcher = new ResizeObserver(() => made.invalidateSize({ pan: false }))
    // Effects run after the box is drawn.
    watcher.observe(box.current!)
    setLeaflet(made)
    return () => {
      watcher.disconnect()
      // Removing tells of a last move, when there are no panes left to measure.
      made.off('moveend')
      made.remove()
    }
  }, [tileUrl])

  const { lat, lng, name } = props.lookAt ?? {}
  useEffect(() => {
    if (!leaflet || lat === undefined || lng === undefined) return
    hasFitted.current = true
    leaflet.setView([lat, lng], townZoom, { animate: false })
  }, [leaflet, lat, lng])

  useEffect(() => {
    if (!leaflet || hasFitted.current || points.length === 0) return
    hasFitted.current = true
    showAll(leaflet, points, home)
  }, [leaflet, points, home])

  // Behind what moves the map to its place: only files of that place should come.
  useEffect(() => {
    if (!leaflet || isWaiting) return
    return tileUrl ? drawTiles(leaflet, tileUrl, tileCredit) : drawOutlines(leaflet)
  }, [leaflet, isWaiting, tileUrl, tileCredit])

  useEffect(() => {
    if (!leaflet) return
    const pins = layerGroup().addTo(leaflet)
    const draw = () => drawPins(leaflet, pins, points, selectedId, (id) => latest.current.onSelect?.(id))
    draw()
    leaflet.on('moveend', draw)
    return () => {
      leaflet.off('moveend', draw)
      pins.remove()
    }
  }, [leaflet, points, selectedId])

  useEffect(() => {
    if (!leaflet) return
    const selected = points.find((each) => each.id === selectedId)
    if (!selected) return
    if (!leaflet.getBounds().contains([selected.lat, selected.lng]))
      leaflet.panTo([selected.lat, selected.lng])
    if (!selected.radiusMeters) return
    const fence: Circle = circle([selected.lat, selected.lng], {
      radius: selected.radiusMeters,
      color: color('ink'),
      weight: 2,
      dashArray: '4 4',
      fillColor: color('ink'),
      fillOpacity: 0.12,
      interactive: false,
    }).addTo(leaflet)
    return () => {
      fence.remove()
    }
  }, [leaflet, points, selectedId])

  useEffect(() => leaflet && home && drawSign(leaflet, home), [leaflet, home])
  useEffect(() => {
    if (leaflet && lat !== undefined && lng !== undefined && name)
      return drawSign(leaflet, { lat, lng, name })
  }, [leaflet, lat, lng, name])

  return (
    <>
      <div ref={box} className={classes.canvas} />
      <div className={classes.zoom}>
        <button type="button" aria-label={plainWords('ui.zoomIn')} onClick={() => leaflet?.zoomIn()}>
          <IconPlus size={18} aria-hidden />
        </button>
        <button type="button" aria-label={plainWords('ui.zoomOut')} onClick={() => leaflet?.zoomOut()}>
          <IconMinus size={18} aria-hidden />
        </button>
        <button
          type="button"
          aria-label={plainWords('ui.showAll')}
          title={plainWords('ui.showAll')}
          onClick={() => leaflet && showAll(leaflet, points, home)}
        >
          <IconFocusCentered size={18} aria-hidden />
        </button>
      </div>
    </>
  )
}

/** A name on the map that is none of the points; answers how to take it away. */
function drawSign(leaflet: LeafletMapObject, place: { lat: number; lng: number; name: string }): () => void {
  const sign = marker([place.lat, place.lng], {
    icon: divIcon({
      className: classes.anchor,
      iconSize: [0, 0],
      html: `<span class="${classes.home}">${escapeHtml(place.name)}</span>`,
    }),
    interactive: false,
    keyboard: false,
    zIndexOffset: 500,
  }).addTo(leaflet)
  return () => {
    sign.remove()
  }
}

function showAll(leaflet: LeafletMapObject, points: readonly MapPoint[], home: MapViewProps['home']) {
  const places = [...points, ...(home ? [home] : [])]
  if (places.length === 0) {
    leaflet.fitBounds(unitedStates)
    return
  }
  const all = latLngBounds(places.map((place) => [place.lat, place.lng]))
  leaflet.fitBounds(fitsAtAll(leaflet, all) ? all : middleOf(places), {
    padding: [48, 48],
    maxZoom: 12,
    animate: false,
  })
}

/** Whether the map, as far away as it goes, shows all of the bounds. */
function fitsAtAll(leaflet: LeafletMapObject, bounds: LatLngBounds): boolean {
  const zoom = leaflet.getMinZoom()
  const size = leaflet
    .project(bounds.getSouthEast(), zoom)
    .subtract(leaflet.project(bounds.getNorthWest(), zoom))
  const { x, y } = leaflet.getSize()
  return size.x <= x && size.y <= y
}

/** Where most places are: a few on the other side of the globe must not move the map into an ocean between. */
function middleOf(places: readonly { lat: number; lng: number }[]): LatLngBounds {
  const cut = Math.floor(places.length / 50)
  const within = (values: number[]) => {
    const sorted = values.toSorted((a, b) => a - b)
    return [sorted[cut]!, sorted[sorted.length - 1 - cut]!] as const
  }
  const [south, north] = within(places.map((place) => place.lat))
  const [west, east] = within(places.map((place) => place.lng))
  return latLngBounds([south, west], [north, east])
}

function drawTiles(leaflet: LeafletMapObject, url: string, credit: string | undefined) {
  const tiles = tileLayer(url, { attribution: credit, maxZoom: 18 }).addTo(leaflet)
  return () => {
    tiles.remove()
  }
}

/**
 * Land, borders and, close by, counties: each file of them comes when the map first shows what is in it. What was drawn before
 * stays until all of its place is there.
 */
function drawOutlines(leaflet: LeafletMapObject) {
  // Below the pane of circles: the fence of the selected place must not be covered when the land arrives later.
  const paneOf = (name: string, zIndex: string) => {
    if (!leaflet.getPane(name)) leaflet.createPane(name).style.zIndex = zIndex
    return canvas({ padding: 0.5, pane: name })
  }
  const renderers = { land: paneOf('land', '250'), borders: paneOf('borders', '251') }
  const drawings = new Map<OutlinePart, Drawing>()
  const drawn = new Map<OutlinePart, LayerGroup>()
  let isGone = false

  const draw = (part: OutlinePart, { areas, inner, outer }: Drawing) => {
    // The edge closes the seam between two areas.
    const land = {
      renderer: renderers.land,
      interactive: false,
      weight: 1,
      fillOpacity: 1,
      smoothFactor: 0.5,
    }
    const line = { renderer: renderers.borders, interactive: false }
    const group = layerGroup([
      polygon(areas, { ...land, color: color('land'), fillColor: color('land') }),
      polyline(outer, { ...line, weight: 1, color: color('line2') }),
      polyline(inner, { ...line, weight: 0.6, color: color('line') }),
    ])
    drawn.set(part, group.addTo(leaflet))
  }
  const erase = (part: OutlinePart) => {
    drawn.get(part)?.remove()
    drawn.delete(part)
  }
  const load = async (part: OutlinePart) => {
    if (!drawings.has(part)) drawings.set(part, drawingOf((await part.load()).default))
  }
  const show = async () => {
    // Without a connection the map stays as it is, and tries again with its next move.
    await Promise.allSettled(wantedParts(leaflet).map(load))
    if (isGone) return
    // It may have moved on.
    const wanted = wantedParts(leaflet)
    for (const part of wanted) {
      const drawing = drawings.get(part)
      if (drawing && !drawn.has(part)) draw(part, drawing)
    }
    if (wanted.every((part) => drawn.has(part)))
      for (const part of [...drawn.keys()]) if (!wanted.includes(part)) erase(part)
  }
  const repaint = () => {
    for (const part of [...drawn.keys()]) {
      erase(part)
      const drawing = drawings.get(part)
      if (drawing) draw(part, drawing)
    }
  }
  const signs = layerGroup().addTo(leaflet)
  const move = () => {
    drawNames(leaflet, signs)
    void show()
  }
  move()
  leaflet.on('moveend', move)
  const scheme = new MutationObserver(repaint)
  scheme.observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] })
  return () => {
    isGone = true
    scheme.disconnect()
    leaflet.off('moveend', move)
    for (const part of [...drawn.keys()]) erase(part)
    signs.remove()
  }
}

/** The files with what the map shows, and a bit around it as the canvas draws. */
function wantedParts(leaflet: LeafletMapObject): OutlinePart[] {
  const bounds = leaflet.getBounds().pad(0.5)
  const box = {
    south: bounds.getSouth(),
    west: bounds.getWest(),
    north: bounds.getNorth(),
    east: bounds.getEast(),
  }
  const other = leaflet.getZoom() < closeZoom ? 'close' : 'far'
  return parts.filter(({ at, cells }) => at !== other && isIn(cells, box))
}

function drawNames(leaflet: LeafletMapObject, signs: LayerGroup) {
  signs.clearLayers()
  if (leaflet.getZoom() < nameZoom) return
  for (const [name, lng, lat] of names) {
    if (!leaflet.getBounds().contains([lat, lng])) continue
    signs.addLayer(
      marker([lat, lng], {
        icon: divIcon({
          className: classes.anchor,
          iconSize: [0, 0],
          html: `<span class="${classes.state}" aria-hidden="true">${escapeHtml(name)}</span>`,
        }),
        interactive: false,
        keyboard: false,
        zIndexOffset: -1000,
      }),
    )
  }
}

/** Clusters and pins of the visible part; all others stay out of the document. */
function drawPins(
  leaflet: LeafletMapObject,
  pins: LayerGroup,
  points: readonly MapPoint[],
  selectedId: string | number | null | undefined,
  onSelect: (id: string | number) => void,
) {
  const focusedId = document.activeElement?.getAttribute('data-pin')
  pins.clearLayers()
  const zoom = leaflet.getZoom()
  const visible = leaflet.getBounds().pad(0.15)
  const placed = points
    .filter((each) => visible.contains([each.lat, each.lng]))
    .map((each) => {
      const { x, y } = leaflet.project([each.lat, each.lng], zoom)
      return { point: each, x, y }
    })
  const clusterWidth = zoom >= alone ? 8 : placed.length <= few ? clusterSize.few : clusterSize.many
  const groups = cluster(placed, clusterWidth, (each) => each.id === selectedId)
  for (const group of groups) {
    const only = group.points.length === 1 ? group.points[0]! : undefined
    const place = only
      ? ([only.lat, only.lng] as [number, number])
      : leaflet.unproject(pixel(group.x, group.y), zoom)
    const count = group.points.length
    const size = count < 10 ? 40 : count < 100 ? 48 : 56
    const isSelected = only !== undefined && only.id === selectedId
    const sign = marker(place, {
      icon: divIcon({
        className: classes.anchor,
        iconSize: [0, 0],
        html: only
          ? pinHtml(only, isSelected)
          : `<span class="${classes.cluster}" style="width:${size}px;height:${size}px">${count.toLocaleString('en-US')}</span>`,
      }),
      title: only ? only.name : undefined,
      alt: only ? only.name : `${count} places, come closer`,
      zIndexOffset: isSelected ? 1000 : 0,
      riseOnHover: true,
    })
    sign.on('click', () => {
      if (only) onSelect(only.id)
      else
        leaflet.fitBounds(latLngBounds(group.points.map((each) => [each.lat, each.lng])), {
          padding: [60, 60],
          maxZoom: Math.max(alone, zoom + 2),
        })
    })
    pins.addLayer(sign)
    const element = sign.getElement()
    if (!element) continue
    element.setAttribute('role', 'button')
    element.setAttribute('aria-label', only ? only.name : `${count} places, come closer`)
    if (only) {
      element.setAttribute('data-pin', String(only.id))
      element.setAttribute('aria-pressed', String(isSelected))
      if (focusedId === String(only.id)) element.focus({ preventScroll: true })
    }
    element.addEventListener('keydown', (event) => {
      if (event.key !== ' ' && event.key !== 'Enter') return
      event.preventDefault()
      event.stopPropagation()
      sign.fire('click')
    })
  }
}
