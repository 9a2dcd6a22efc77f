/** At most so many students at a time at a site, as it answered to a request; of one level, or of any. */
export interface AgreedPlaces {
  SiteId: number
  StudentLevelId: number | null
  StartDate: string
  EndDate: string
  Places: number
}

/**
 * The places that a site has agreed to on a day: of each level the newest, together. Undefined where it was not asked, or asked for
 * some of its shifts only.
 */
export const agreedOn = (
  agreed: readonly AgreedPlaces[],
  siteId: number,
  date: string,
): number | undefined => {
  const byLevel = new Map<number | null, number>()
  for (const { SiteId, StudentLevelId, StartDate, EndDate, Places } of agreed)
    if (SiteId === siteId && StartDate <= date && date <= EndDate) byLevel.set(StudentLevelId, Places)
  return byLevel.size === 0 ? undefined : [...byLevel.values()].reduce((sum, each) => sum + each, 0)
}
