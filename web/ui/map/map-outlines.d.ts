/** The outlines of the map, made by the build (`scripts/map-outlines.ts`). */
declare module 'virtual:map-outlines' {
  /** Lines and areas of one file. Places of lines are counted from 0; one that is walked backwards is the complement (`~`). */
  export interface Outlines {
    /** Longitude and latitude of the grid's first place, and degrees from one place to the next. */
    origin: [number, number]
    step: [number, number]
    /** The lines as `shortText`, separated by blanks: the first place, and the way to each next one. */
    lines: string
    /** So many of the lines, the first ones, are county borders; so many that follow are coasts and other borders. */
    inner: number
    outer: number
    /** Rings of lines for each area: its edge, and its holes. */
    areas: number[][][]
  }

  export interface OutlinePart {
    /** The degrees that it has something in, as `shortText`: gaps and lengths of runs, row by row. */
    cells: string
    /** Whether it is drawn far out, close by, or both. */
    at: 'far' | 'close' | 'both'
    load: () => Promise<{ default: Outlines }>
  }

  export const parts: readonly OutlinePart[]
  /** Names of states with longitude and latitude of where they are written. */
  export const names: readonly (readonly [name: string, lng: number, lat: number])[]
}
