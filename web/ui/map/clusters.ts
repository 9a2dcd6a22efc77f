/** A point on the map; `x`, `y` in pixels of the map's world at the current zoom. */
export type Placed<Point> = { point: Point; x: number; y: number }

export type Cluster<Point> = { points: Point[]; x: number; y: number }

/**
 * Groups points that fall into the same square of `size` pixels and then joins groups closer than that. One pass over
 * the points, so 7,000 take a few milliseconds at each zoom; the center is the mean of the members, which keeps
 * clusters where their points are. `apart` names points that are always alone (the selected one).
 */
export function cluster<Point>(
  placed: readonly Placed<Point>[],
  size: number,
  apart?: (point: Point) => boolean,
): Cluster<Point>[] {
  const cells = new Map<string, Cluster<Point>>()
  const alone: Cluster<Point>[] = []
  for (const { point, x, y } of placed) {
    if (apart?.(point)) {
      alone.push({ points: [point], x, y })
      continue
    }
    const key = `${Math.floor(x / size)}:${Math.floor(y / size)}`
    const cell = cells.get(key)
    if (!cell) {
      cells.set(key, { points: [point], x, y })
      continue
    }
    const count = cell.points.push(point)
    cell.x += (x - cell.x) / count
    cell.y += (y - cell.y) / count
  }
  for (const [key, cell] of cells) {
    const [column, row] = key.split(':').map(Number) as [number, number]
    for (const [dx, dy] of [
      [1, 0],
      [0, 1],
      [1, 1],
      [-1, 1],
    ] as const) {
      const otherKey = `${column + dx}:${row + dy}`
      const other = cells.get(otherKey)
      if (!other || Math.hypot(other.x - cell.x, other.y - cell.y) > size * 0.7) continue
      const total = cell.points.length + other.points.length
      cell.x += ((other.x - cell.x) * other.points.length) / total
      cell.y += ((other.y - cell.y) * other.points.length) / total
      cell.points.push(...other.points)
      cells.delete(otherKey)
    }
  }
  return [...cells.values(), ...alone]
}
