import type { z } from 'zod'
import type { PlacementPlan, PlanRules } from '#contract/placement/plans.ts'
import { ruleBroken } from '#server/core/runtime/failure.ts'

const counted = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}s`}`

const refuse = (text: string, field: string): never => {
  throw ruleBroken('contradiction', text, field)
}

/**
 * Refuses groups of a plan by which nobody could be placed.
 *
 * @throws Failure 422 that names the group and what to change
 */
export const refuseContradictoryGroups = ({ Groups }: z.output<typeof PlanRules>, blocks: number): void => {
  for (const {
    Name,
    ShiftsPerWeek,
    Weekdays,
    MostBlocksPerSite,
    FewestBlocksPerSite,
    Types,
    ...group
  } of Groups) {
    if (ShiftsPerWeek > Weekdays.length)
      refuse(
        `${Name} asks for ${counted(ShiftsPerWeek, 'shift')} a week on ${counted(Weekdays.length, 'weekday')}. Nothing was saved. Allow more weekdays, or ask for fewer shifts.`,
        'Rules',
      )
    if (FewestBlocksPerSite !== null && FewestBlocksPerSite > (MostBlocksPerSite ?? blocks))
      refuse(
        MostBlocksPerSite === null
          ? `${Name} asks for at least ${counted(FewestBlocksPerSite, 'block')} at each site, and the plan has ${blocks}. Nothing was saved. Ask for fewer, or make the plan longer.`
          : `${Name} asks for at least ${counted(FewestBlocksPerSite, 'block')} at each site and at most ${MostBlocksPerSite}. Nothing was saved. Raise the most, or lower the least.`,
        'Rules',
      )
    const other = group.Experiences.find(
      (each) => each.Types.length > 0 && Types.length > 0 && !each.Types.some((type) => Types.includes(type)),
    )
    if (other)
      refuse(
        `${other.Name} asks for a type of shift that ${Name} leaves out. Nothing was saved. Allow the type for the group, or take it out of the experience.`,
        'Rules',
      )
  }
  for (const { Name, MostBlocksPerSite, Experiences } of Groups)
    for (const { Name: what, Blocks, SiteIds, Weight } of Experiences) {
      if (Weight !== null) continue
      if (Blocks > blocks)
        refuse(
          `${what} asks for ${counted(Blocks, 'block')}, and the plan has ${blocks}. Nothing was saved. Ask for fewer, or make the plan longer.`,
          'Rules',
        )
      const sites = new Set(SiteIds).size
      if (sites > 0 && MostBlocksPerSite !== null && Blocks > sites * MostBlocksPerSite)
        refuse(
          `${what} asks for ${counted(Blocks, 'block')} at ${counted(sites, 'site')}, and ${Name} allows at most ${MostBlocksPerSite} at each site. Nothing was saved. Name more sites, or raise the most.`,
          'Rules',
        )
    }
  const levels = Groups.map(({ StudentLevelIds }) => (StudentLevelIds.length === 0 ? [0] : StudentLevelIds))
  for (const [at, { Name }] of Groups.entries()) {
    const earlier = levels.slice(0, at).findIndex((ids) => ids.some((id) => levels[at]?.includes(id)))
    if (earlier >= 0)
      refuse(
        levels[at]?.includes(0)
          ? `${Groups[earlier]?.Name} and ${Name} are both for all other levels. Nothing was saved. Choose the levels of one of them.`
          : `${Groups[earlier]?.Name} and ${Name} are for the same level. Nothing was saved. Leave the level in one of them.`,
        'Rules',
      )
  }
}

/**
 * Refuses an answer of a site that leaves nobody a place without saying so.
 *
 * @throws Failure 422 that says what to change
 */
export const refuseContradictoryAnswer = ({
  Takes,
  Reserved,
  AtLeast,
}: {
  Takes: number | null
  Reserved: number
  AtLeast: number | null
}): void => {
  // A site that takes nobody says just that.
  if (Takes === null || Takes === 0) return
  if (Reserved > Takes)
    refuse(
      `${Reserved} places are reserved for others, and the site takes ${Takes}. Nothing was saved. Reserve fewer, or raise what the site takes.`,
      'Reserved',
    )
  if (AtLeast !== null && AtLeast > Takes - Reserved)
    refuse(
      `The site would take at least ${AtLeast} students or none, and has ${counted(Takes - Reserved, 'place')} for this plan, so nobody could go there. Nothing was saved. Lower the least, or raise what the site takes.`,
      'AtLeast',
    )
}

/**
 * Refuses what is asked for one student and cannot be at once.
 *
 * @param nameOf the name of a site
 * @throws Failure 422 that names the site
 */
export const refuseContradictoryStudent = (
  {
    Pins,
    ExcludedSiteIds,
  }: { Pins: readonly { Block: number; SiteId: number }[]; ExcludedSiteIds: readonly number[] },
  { Rules: { SiteIds } }: Pick<PlacementPlan, 'Rules'>,
  nameOf: (siteId: number) => string,
): void => {
  for (const { Block, SiteId } of Pins) {
    if (ExcludedSiteIds.includes(SiteId))
      refuse(
        `${nameOf(SiteId)} is pinned in block ${Block + 1} and excluded for the same student. Nothing was saved. Take out the pin or the exclusion.`,
        'Pins',
      )
    if (SiteIds.length > 0 && !SiteIds.includes(SiteId))
      refuse(
        `${nameOf(SiteId)} is pinned in block ${Block + 1} and does not take part in the plan. Nothing was saved. Take out the pin, or add the site to the plan.`,
        'Pins',
      )
  }
}
