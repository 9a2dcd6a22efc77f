const metersAFoot = 0.3048
const metersAMile = 1609.344

/**
 * A distance as people read it here, in two figures: '46 ft', '880 ft', '1,900 ft', from half a mile on '2.0 mi'.
 *
 * @param meters not below 0
 */
export const formatDistance = (meters: number): string => {
  if (meters >= metersAMile / 2) return `${(meters / metersAMile).toFixed(1)} mi`
  const feet = Math.round(meters / metersAFoot)
  const step = feet < 100 ? 1 : feet < 1_000 ? 10 : 100
  return `${(Math.round(feet / step) * step).toLocaleString('en-US')} ft`
}
