/** The most students at a time that a site agreed to in its answer to a request, of one level or of any. */
export interface AgreedPlaces {
  SiteId: number
  StudentLevelId: number | null
  StartDate: string
  EndDate: string
  Places: number
}

/**
 * The places that a site has agreed to on a day: the newest answer for each level, added up. Undefined if the site was not asked, or was
 * asked about some of its shifts only.
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
