export type MapPoint = {
  id: string | number
  lat: number
  lng: number
  /** On the pin, short: a code. */
  tag: string
  /** Read aloud and shown on hover: the full name. */
  name: string
  /** Small figures on the selected pin: "3/6". */
  figure?: string
  /** 'bad' is white with a red frame, 'quiet' is for what is not in use. */
  tone?: 'plain' | 'bad' | 'quiet'
  /** Around the selected pin, in meters. */
  radiusMeters?: number
}

export type MapBounds = { south: number; west: number; north: number; east: number }

export type MapViewProps = {
  /** What the map shows, for screen readers: "Places". */
  label: string
  points: readonly MapPoint[]
  /** The points are not known yet: where the map will look is neither, and nothing is drawn. */
  isWaiting?: boolean
  selectedId?: string | number | null
  onSelect?: (id: string | number) => void
  /** After each move; the list beside the map can follow. */
  onBoundsChange?: (bounds: MapBounds) => void
  /** A place of its own kind: where everything starts from. */
  home?: { lat: number; lng: number; name: string }
  /** Moves the map there, with the surroundings of a town; a name is shown there as a sign. */
  lookAt?: { lat: number; lng: number; name?: string }
  /** Where a click sets a place (address look-up, center of the geofence). */
  onPick?: (place: { lat: number; lng: number }) => void
  /** 'https://…/{z}/{x}/{y}.png'; without it the bundled outlines are drawn and nothing is fetched from outside. */
  tileUrl?: string
  tileCredit?: string
  /** A card over the map at the bottom: the selected place. */
  card?: React.ReactNode
  /** px, or fills its box when none is given. */
  height?: number
}
