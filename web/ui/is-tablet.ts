/**
 * Tablets and iPhones get a plain text area: editors inside the page lose the selection and the keyboard there. iPads
 * call themselves Macs, so touch points tell them apart; Android tablets lack 'Mobile'.
 */
export function isTablet(browser: { userAgent: string; maxTouchPoints?: number } = navigator): boolean {
  const { userAgent, maxTouchPoints = 0 } = browser
  if (/iPad|iPhone|iPod|Tablet|PlayBook|Silk/i.test(userAgent)) return true
  if (/Macintosh/.test(userAgent) && maxTouchPoints > 1) return true
  return /Android/i.test(userAgent) && !/Mobile/i.test(userAgent)
}
