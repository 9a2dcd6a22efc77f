const metresAFoot = 0.3048
const metresAMile = 1609.344

/**
 * A distance as people read it here, in two figures: '46 ft', '880 ft', '1,900 ft', from half a mile on '2.0 mi'.
 *
 * @param metres not below 0
 */
export const formatDistance = (metres: number): string => {
  if (metres >= metresAMile / 2) return `${(metres / metresAMile).toFixed(1)} mi`
  const feet = Math.round(metres / metresAFoot)
  const step = feet < 100 ? 1 : feet < 1_000 ? 10 : 100
  return `${(Math.round(feet / step) * step).toLocaleString('en-US')} ft`
}
