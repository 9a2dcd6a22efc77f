/**
 * Where directions to a place open: the maps of Apple on its devices, elsewhere those that every phone and computer opens. The
 * scheme `geo:` opens nothing on an iPhone.
 */
export const directionsLink = (
  latitude: number,
  longitude: number,
  agent: string = navigator.userAgent,
): string =>
  /iPhone|iPad|iPod|Macintosh/.test(agent)
    ? `https://maps.apple.com/?daddr=${latitude},${longitude}`
    : `https://www.google.com/maps/dir/?api=1&destination=${latitude},${longitude}`
