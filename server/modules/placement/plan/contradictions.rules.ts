import type { z } from 'zod'
import { placementFailures } from '#contract/placement/failures.ts'
import type { PlacementPlan, PlanRules } from '#contract/placement/plans.ts'
import { fail } from '#server/core/runtime/failure.ts'

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
      throw fail(
        placementFailures.too_few_weekdays,
        { Name, Shifts: ShiftsPerWeek, Weekdays: Weekdays.length },
        'Rules',
      )
    if (FewestBlocksPerSite !== null && FewestBlocksPerSite > (MostBlocksPerSite ?? blocks))
      throw MostBlocksPerSite === null
        ? fail(
            placementFailures.least_above_plan,
            { Name, Least: FewestBlocksPerSite, PlanBlocks: blocks },
            'Rules',
          )
        : fail(
            placementFailures.least_above_most,
            { Name, Least: FewestBlocksPerSite, Most: MostBlocksPerSite },
            'Rules',
          )
    const other = group.Experiences.find(
      (each) => each.Types.length > 0 && Types.length > 0 && !each.Types.some((type) => Types.includes(type)),
    )
    if (other) throw fail(placementFailures.type_left_out, { Experience: other.Name, Name }, 'Rules')
  }
  for (const { Name, MostBlocksPerSite, Experiences } of Groups)
    for (const { Name: what, Blocks, SiteIds, Weight } of Experiences) {
      if (Weight !== null) continue
      if (Blocks > blocks)
        throw fail(
          placementFailures.too_many_blocks_asked,
          { Experience: what, Blocks, PlanBlocks: blocks },
          'Rules',
        )
      const sites = new Set(SiteIds).size
      if (sites > 0 && MostBlocksPerSite !== null && Blocks > sites * MostBlocksPerSite)
        throw fail(
          placementFailures.too_few_sites,
          { Experience: what, Blocks, Sites: sites, Name, Most: MostBlocksPerSite },
          'Rules',
        )
    }
  const levels = Groups.map(({ StudentLevelIds }) => (StudentLevelIds.length === 0 ? [0] : StudentLevelIds))
  for (const [at, { Name }] of Groups.entries()) {
    const earlier = levels.slice(0, at).findIndex((ids) => ids.some((id) => levels[at]?.includes(id)))
    if (earlier >= 0)
      throw fail(
        levels[at]?.includes(0) ? placementFailures.all_other_levels_twice : placementFailures.level_twice,
        { Earlier: Groups[earlier]?.Name ?? '', Name },
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
  if (Reserved > Takes) throw fail(placementFailures.too_many_reserved, { Reserved, Takes }, 'Reserved')
  if (AtLeast !== null && AtLeast > Takes - Reserved)
    throw fail(placementFailures.least_above_places, { Least: AtLeast, Places: Takes - Reserved }, 'AtLeast')
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
      throw fail(placementFailures.pinned_and_excluded, { Site: nameOf(SiteId), Block: Block + 1 }, 'Pins')
    if (SiteIds.length > 0 && !SiteIds.includes(SiteId))
      throw fail(placementFailures.pinned_outside_plan, { Site: nameOf(SiteId), Block: Block + 1 }, 'Pins')
  }
}
