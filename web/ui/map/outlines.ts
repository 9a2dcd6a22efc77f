import type { Outlines } from 'virtual:map-outlines'
import { numbersOf } from './short-numbers.ts'

export interface Box {
  south: number
  west: number
  north: number
  east: number
}

type Line = [lat: number, lng: number][]

/** What is drawn of one file, by latitude and longitude. */
export interface Drawing {
  areas: Line[][]
  /** County borders. */
  inner: Line[]
  /** Coasts and other borders. */
  outer: Line[]
}

/** Whether something of these degrees (runs of gaps and lengths, row by row) is in the box. */
export const isIn = (cells: string, box: Box): boolean => {
  const runs = numbersOf(cells)
  let end = -90 * 360
  for (let at = 0; at < runs.length; at += 2) {
    const first = end + runs[at]!
    end = first + runs[at + 1]!
    // A run may go on in the next row.
    for (let row = Math.floor(first / 360); row * 360 < end; row++) {
      const [west, east] = [Math.max(first, row * 360), Math.min(end, row * 360 + 360)]
      const isInRow = row + 1 > box.south && row < box.north
      if (isInRow && west - row * 360 - 180 < box.east && east - row * 360 - 180 > box.west) return true
    }
  }
  return false
}

/** A border that crosses the date line, in its pieces: it would be drawn around the globe. */
const pieces = (line: Line): Line[] => {
  const found: Line[] = [[]]
  line.forEach((point, at) => {
    if (at > 0 && Math.abs(point[1] - line[at - 1]![1]) > 180) found.push([])
    found.at(-1)?.push(point)
  })
  return found
}

/**
 * An area of which a part is beyond the date line: whole on both sides of the map. One around a pole goes around the globe
 * indeed and stays as it is.
 */
const bothSides = (rings: Line[]): Line[][] => {
  let turn = 0
  const whole = rings.map((ring) =>
    ring.map(([lat, lng], at): [number, number] => {
      const way = at > 0 ? lng - ring[at - 1]![1] : 0
      if (Math.abs(way) > 180) turn -= Math.sign(way) * 360
      return [lat, lng + turn]
    }),
  )
  const farthest = whole.flat().find(([, lng]) => Math.abs(lng) > 181)
  if (turn !== 0 || !farthest) return [rings]
  const around = Math.sign(farthest[1]) * 360
  return [whole, whole.map((ring) => ring.map(([lat, lng]) => [lat, lng - around]))]
}

export const drawingOf = ({ origin, step, lines: text, inner, outer, areas }: Outlines): Drawing => {
  const lines = text.split(' ').map((short): Line => {
    const ways = numbersOf(short)
    let [x, y] = [0, 0]
    return Array.from({ length: ways.length / 2 }, (_, at) => {
      x += ways[2 * at]!
      y += ways[2 * at + 1]!
      return [y * step[1] + origin[1], x * step[0] + origin[0]]
    })
  })
  return {
    areas: areas.flatMap((rings) =>
      bothSides(rings.map((ring) => ring.flatMap((at) => (at < 0 ? lines[~at]!.toReversed() : lines[at]!)))),
    ),
    inner: lines.slice(0, inner),
    outer: lines.slice(inner, inner + outer).flatMap(pieces),
  }
}
