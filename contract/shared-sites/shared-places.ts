/** Numbers below this would tell how many students of other programs are at a site, so few that they might be known. */
export const fewest = 5

/** Places left on a day, as far as it may be told: from the least to the most that there may be. */
export interface ShownPlaces {
  From: number
  Through: number
}

/**
 * What a program is told of the places left at a shared site: the figure itself where others have none that it could reveal, that is five
 * or more; otherwise the range that is as wide as zero to four students of others.
 */
export const shownPlaces = (capacity: number, own: number, free: number): ShownPlaces => {
  const left = Math.max(0, free)
  const others = capacity - own - free
  if (others >= fewest) return { From: left, Through: left }
  const most = Math.max(0, capacity - own)
  return { From: Math.max(0, most - (fewest - 1)), Through: most }
}
