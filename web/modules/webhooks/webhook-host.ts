/** The host of an address, as people tell endpoints apart. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)
