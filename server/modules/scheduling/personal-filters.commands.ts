import type { InputOf } from '#contract/core/endpoint.ts'
import type { savePersonalFilterSettings } from '#contract/scheduling/personal-filters.ts'
import type { Db } from '#server/core/database/pool.ts'

const distinct = (ids: readonly number[]): number[] => [...new Set(ids)]

/** Keeps what a person's lists show them; what is not told stays as it is. */
export const savePersonalFilter = async (
  db: Db,
  accountId: number,
  input: InputOf<typeof savePersonalFilterSettings>['body'],
): Promise<void> => {
  const values = {
    is_student_enabled: input.IsStudentFilterEnabled,
    is_site_enabled: input.IsSiteFilterEnabled,
    is_shift_enabled: input.IsShiftFilterEnabled,
    ...(input.StudentIds && { student_ids: distinct(input.StudentIds) }),
    ...(input.SiteIds && { site_ids: distinct(input.SiteIds) }),
    ...(input.SiteShiftIds && { shift_ids: distinct(input.SiteShiftIds) }),
  }
  await db
    .insertInto('personal_filter')
    .values({ account_id: accountId, ...values })
    .onConflict((kept) => kept.column('account_id').doUpdateSet(values))
    .execute()
}
