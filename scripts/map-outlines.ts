import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MultiPolygon, Polygon, Topology } from 'topojson-specification'
import { shortText } from '../web/ui/map/short-numbers.ts'

type Point = readonly [x: number, y: number]
/** Rings of lines, by their places in the atlas. */
type Area = number[][]
type Shape = (Polygon | MultiPolygon) & { properties: { name: string } }

interface Atlas {
  lines: Point[][]
  step: Point
  origin: Point
  shapes: (object: string) => Shape[]
}

/** What one file of the map holds. */
interface Part {
  name: string
  at: 'far' | 'close' | 'both'
  atlas: Atlas
  areas: readonly Area[]
  inner: readonly number[]
  outer: readonly number[]
}

const packages = join(import.meta.dirname, '..', 'node_modules')

/** An atlas of the packages: lines on a grid, as steps from point to point. */
const readAtlas = (path: string): Atlas => {
  const { arcs, objects, transform }: Topology = JSON.parse(readFileSync(join(packages, path), 'utf8'))
  if (!transform) throw new Error(`${path} is on no grid.`)
  const lines = arcs.map((arc) => {
    let [x, y] = [0, 0]
    return arc.map(([dx = 0, dy = 0]): Point => {
      x += dx
      y += dy
      return [x, y]
    })
  })
  const shapes = (name: string): Shape[] => {
    const object = objects[name]
    // All objects of these packages are lists of areas.
    return object?.type === 'GeometryCollection' ? (object.geometries as Shape[]) : []
  }
  return { lines, step: transform.scale, origin: transform.translate, shapes }
}

const areasOf = (shape: Shape): Area[] => (shape.type === 'Polygon' ? [shape.arcs] : shape.arcs)
const placeOf = (arc: number): number => (arc < 0 ? ~arc : arc)
const linesOf = (areas: readonly Area[]): number[] => [...new Set(areas.flat(2).map(placeOf))]
/** Numbers of counties begin with that of their state. */
const stateOf = (shape: Shape): string => String(shape.id).slice(0, 2)

const ringOf = (lines: readonly (readonly Point[])[], ring: readonly number[]): Point[] =>
  ring.flatMap((arc) => (arc < 0 ? lines[~arc]!.toReversed() : lines[arc]!).slice(1))

/** The atlas on a grid with so many degrees from one place to the next. Small rings keep their points: they would vanish. */
const rounded = (atlas: Atlas, degrees: number): Atlas => {
  const { step, origin } = atlas
  const onGrid = ([x, y]: Point): Point => [
    Math.round((x * step[0] + origin[0]) / degrees),
    Math.round((y * step[1] + origin[1]) / degrees),
  ]
  const isSame = (one: Point, other: Point): boolean => one[0] === other[0] && one[1] === other[1]
  return {
    ...atlas,
    step: [degrees, degrees],
    origin: [0, 0],
    lines: atlas.lines.map((line) => {
      const all = line.map(onGrid)
      const moved = all.filter((point, at) => at === 0 || !isSame(point, all[at - 1]!))
      return moved.length > 1 ? moved : all.slice(0, 2)
    }),
  }
}

/** Leaves out points that are nearer to the line through the ones kept than this many places of the grid. */
const simplified = (line: readonly Point[], most: number): Point[] => {
  const [first, last] = [line[0]!, line.at(-1)!]
  const [width, height] = [last[0] - first[0], last[1] - first[1]]
  const length = Math.hypot(width, height)
  let [farthest, distance] = [0, 0]
  line.forEach(([x, y], at) => {
    const [dx, dy] = [x - first[0], y - first[1]]
    const here = length === 0 ? Math.hypot(dx, dy) : Math.abs(dx * height - dy * width) / length
    if (here > distance) [farthest, distance] = [at, here]
  })
  return distance <= most
    ? [first, last]
    : [
        ...simplified(line.slice(0, farthest + 1), most).slice(0, -1),
        ...simplified(line.slice(farthest), most),
      ]
}

/** The states as they are seen from far out: a third of a pixel there is all that is lost. */
const seenFromFar = (atlas: Atlas): Atlas => {
  const coarse = rounded(atlas, 0.007)
  const isIsland = (line: readonly Point[]): boolean => line.length < 8
  return { ...coarse, lines: coarse.lines.map((line) => (isIsland(line) ? line : simplified(line, 0.5))) }
}

/** The degrees that an area covers: those that its edge touches, and those that are inside. */
const cellsOf = ({ atlas: { lines, step, origin }, areas }: Part): Set<number> => {
  const cells = new Set<number>()
  for (const area of areas) {
    const rings = area.map((ring) =>
      ringOf(lines, ring).map(([x, y]): Point => [x * step[0] + origin[0], y * step[1] + origin[1]]),
    )
    /** Where the rings cross a parallel: between the first and the second crossing is inside, and so on. */
    const crossings = (y: number): number[] =>
      rings
        .flatMap((ring) =>
          ring.flatMap((to, at) => {
            const from = ring.at(at - 1)!
            return from[1] <= y === to[1] <= y
              ? []
              : [from[0] + ((y - from[1]) / (to[1] - from[1])) * (to[0] - from[0])]
          }),
        )
        .toSorted((one, other) => one - other)
    for (const ring of rings)
      ring.forEach((to, at) => {
        const from = ring.at(at - 1)!
        const count = Math.ceil(Math.max(Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1])) * 50) + 1
        for (let n = 0; n <= count; n++)
          cells.add(
            cellAt(from[0] + ((to[0] - from[0]) * n) / count, from[1] + ((to[1] - from[1]) * n) / count),
          )
      })
    const latitudes = rings.flat().map(([, y]) => y)
    for (let y = Math.floor(Math.min(...latitudes)) + 0.5; y < Math.max(...latitudes); y++) {
      const found = crossings(y)
      for (let n = 0; n + 1 < found.length; n += 2)
        for (let x = Math.floor(found[n]!); x <= found[n + 1]!; x++) cells.add(cellAt(x, y))
    }
  }
  return cells
}

const cellAt = (lng: number, lat: number): number =>
  (Math.floor(lat) + 90) * 360 + Math.min(359, Math.floor(lng) + 180)

/** Cells as gaps and lengths of runs. */
const runsOf = (cells: ReadonlySet<number>): number[] => {
  const runs: number[] = []
  let end = 0
  for (const cell of [...cells].toSorted((one, other) => one - other)) {
    if (runs.length > 0 && cell === end) runs[runs.length - 1]!++
    else runs.push(cell - end, 1)
    end = cell + 1
  }
  return runs
}

/** The file of a part: its lines from 0 on, those that are drawn first. */
const textOf = ({ atlas: { lines, step, origin }, areas, inner, outer }: Part): string => {
  const used = [...new Set([...inner, ...outer, ...linesOf(areas)])]
  const renamed = new Map(used.map((line, at) => [line, at]))
  const rename = (arc: number): number => {
    // Every line of an area is among those used.
    const at = renamed.get(placeOf(arc))!
    return arc < 0 ? ~at : at
  }
  const texts = used.map((line) => {
    let [x, y] = [0, 0]
    return shortText(
      lines[line]!.flatMap((point) => {
        const way = [point[0] - x, point[1] - y]
        ;[x, y] = point
        return way
      }),
    )
  })
  return `export default ${JSON.stringify({
    origin,
    step,
    lines: texts.join(' '),
    inner: inner.length,
    outer: outer.length,
    areas: areas.map((area) => area.map((ring) => ring.map(rename))),
  })}`
}

/** Every state by itself, with its counties. A border belongs to the first of two states that share it. */
const closeParts = (): Part[] => {
  const atlas = readAtlas('us-atlas/counties-10m.json')
  const owners = new Map<number, Shape[]>()
  for (const county of atlas.shapes('counties'))
    for (const line of linesOf(areasOf(county))) owners.set(line, [...(owners.get(line) ?? []), county])
  const isInner = (line: number): boolean => {
    const [one, other] = owners.get(line) ?? []
    return one !== undefined && other !== undefined && stateOf(one) === stateOf(other)
  }
  const drawn = new Set<number>()
  return atlas.shapes('states').map((state) => {
    const areas = areasOf(state)
    const inner = [...owners].flatMap(([line, [county]]) =>
      county && stateOf(county) === String(state.id) && isInner(line) ? [line] : [],
    )
    const outer = linesOf(areas).filter((line) => !drawn.has(line))
    for (const line of outer) drawn.add(line)
    return { name: `state-${state.id}`, at: 'close', atlas, areas, inner, outer }
  })
}

const farPart = (): Part => {
  const atlas = seenFromFar(readAtlas('us-atlas/states-10m.json'))
  return {
    name: 'states',
    at: 'far',
    atlas,
    areas: atlas.shapes('nation').flatMap(areasOf),
    inner: [],
    outer: linesOf(atlas.shapes('states').flatMap(areasOf)),
  }
}

/** The neighbors that many a map shows a corner of, and all others, without the United States. */
const abroad = { canada: ['124'], mexico: ['484'] }

const partsAbroad = (): Part[] => {
  const atlas = rounded(readAtlas('world-atlas/countries-110m.json'), 0.01)
  const countries = atlas.shapes('countries').filter(({ id }) => id !== '840')
  const near = Object.values(abroad).flat()
  const part = (name: string, shapes: readonly Shape[]): Part => {
    const areas = shapes.flatMap(areasOf)
    return { name, at: 'both', atlas, areas, inner: [], outer: linesOf(areas) }
  }
  return [
    ...Object.entries(abroad).map(([name, ids]) =>
      part(
        name,
        countries.filter(({ id }) => ids.includes(String(id))),
      ),
    ),
    part(
      'world',
      countries.filter(({ id }) => !near.includes(String(id))),
    ),
  ]
}

/** States with the middle of their largest piece: islands far off would pull their names into the sea. */
const stateNames = (): [string, number, number][] => {
  const { lines, step, origin, shapes } = readAtlas('us-atlas/states-10m.json')
  return shapes('states').map((state) => {
    const [largest] = areasOf(state)
      .map(([ring = []]) => {
        const points = ringOf(lines, ring)
        const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
        const [west, east] = [Math.min(...xs), Math.max(...xs)]
        const [south, north] = [Math.min(...ys), Math.max(...ys)]
        return { x: (west + east) / 2, y: (south + north) / 2, size: (east - west) * (north - south) }
      })
      .toSorted((one, other) => other.size - one.size)
    if (!largest) throw new Error(`${state.properties.name} has no area.`)
    const round = (value: number) => Math.round(value * 1_000) / 1_000
    return [
      state.properties.name,
      round(largest.x * step[0] + origin[0]),
      round(largest.y * step[1] + origin[1]),
    ]
  })
}

/**
 * The outlines of the map from the packages `us-atlas` and `world-atlas`, in modules that a map loads as it comes to show what is
 * in them: each state with its counties, all states as seen from far out, the neighbors, and the rest of the world. `index.js` tells which
 * has what.
 *
 * @returns texts by the names of their files
 */
export const mapOutlines = (): Map<string, string> => {
  const parts = [farPart(), ...closeParts(), ...partsAbroad()]
  const list = parts.map(
    (part) =>
      `{cells:'${shortText(runsOf(cellsOf(part)))}',at:'${part.at}',load:()=>import('./${part.name}.js')}`,
  )
  return new Map([
    ...parts.map((part) => [`${part.name}.js`, textOf(part)] as const),
    [
      'index.js',
      `export const parts = [${list.join()}]\nexport const names = ${JSON.stringify(stateNames())}`,
    ],
  ])
}
