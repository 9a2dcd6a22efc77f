import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'

type Atlas = Topology<Record<string, GeometryCollection<{ name: string }>>>

/** The land and the borders that are drawn far out: states, and the countries around them. */
export async function loadLand() {
  const [states, world] = await Promise.all([
    // TypeScript reads the type of a JSON file from its text: too wide, and slow for a file of this size.
    import('us-atlas/states-10m.json') as unknown as Promise<{ default: Atlas }>,
    import('world-atlas/countries-110m.json') as unknown as Promise<{ default: Atlas }>,
  ])
  const us = states.default
  // The file of the package has these objects, here and below.
  const countries = feature(world.default, world.default.objects.countries!).features
  return {
    // The United States come from the finer file; id 840 would only double their coast.
    world: countries.filter((country) => String(country.id) !== '840'),
    // In the file of the package.
    nation: feature(us, us.objects.nation!),
    borders: mesh(us, us.objects.states!),
    names: feature(us, us.objects.states!).features.map((state) => ({
      name: state.properties.name,
      bounds: boundsOf(state.geometry as GeoJSON.Polygon | GeoJSON.MultiPolygon),
    })),
  }
}

/** County borders, only fetched for close zoom (260 kB). */
export async function loadCounties() {
  // As above: the type of a JSON file is too wide.
  const counties = ((await import('us-atlas/counties-10m.json')) as unknown as { default: Atlas }).default
  return mesh(counties, counties.objects.counties!, (a, b) => a !== b)
}

type Bounds = { south: number; west: number; north: number; east: number }

/** The box of a state's largest piece: islands far off would pull its name into the sea. */
function boundsOf(geometry: GeoJSON.Polygon | GeoJSON.MultiPolygon): Bounds {
  const pieces = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
  let best: Bounds = { south: 0, west: 0, north: 0, east: 0 }
  let bestArea = -1
  for (const piece of pieces) {
    const ring = piece[0] ?? []
    const lngs = ring.map((position) => position[0]!)
    const lats = ring.map((position) => position[1]!)
    const box = {
      south: Math.min(...lats),
      west: Math.min(...lngs),
      north: Math.max(...lats),
      east: Math.max(...lngs),
    }
    const area = (box.north - box.south) * (box.east - box.west)
    if (area > bestArea) {
      best = box
      bestArea = area
    }
  }
  return best
}
