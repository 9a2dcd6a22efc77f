import type { PageAddress } from '#contract/core/pages.ts'
import type { Permission } from '#contract/core/permissions.ts'
import type { Conflict } from '#contract/placement/conflicts.ts'

type Kind = Conflict['Rules'][number]['Kind']

/** Where a rule is changed, or what is wrong ended; nothing for a lock, which is in the draft itself. */
export const fixAddress = (
  { Kind, SiteId, StudentId }: { Kind: Kind; SiteId: number | null; StudentId: number | null },
  planId: number,
): PageAddress | undefined => {
  switch (Kind) {
    case 'siteShift':
      return SiteId === null ? '/new/admin/shifts' : `/new/admin/shifts?site=${SiteId}`
    case 'siteAnswer':
      return `/new/admin/placement/${planId}?tab=check`
    case 'site':
      return SiteId === null ? '/new/admin/sites' : `/new/admin/sites/edit?id=${SiteId}`
    case 'agreement':
      return '/new/admin/affiliate-agreements'
    case 'plan':
      return `/new/admin/placement/edit?id=${planId}`
    case 'planStudent':
      return `/new/admin/placement/${planId}?tab=students`
    case 'rotation':
      return '/new/admin/rotations'
    case 'program':
      return '/new/admin/program-settings'
    case 'requirements':
      return StudentId === null ? '/new/admin/requirements' : `/new/admin/requirements/students/${StudentId}`
    case 'schedule':
      return StudentId === null ? '/new/students' : `/new/admin/students/${StudentId}`
    case 'lock':
      return undefined
  }
}

/** What it takes to change it there. */
export const fixPermission: Record<Kind, Permission> = {
  siteShift: 'scheduling.plan',
  siteAnswer: 'placement.plan',
  site: 'sites.read',
  agreement: 'agreements.manage',
  plan: 'placement.plan',
  planStudent: 'placement.plan',
  rotation: 'scheduling.plan',
  program: 'program.settings',
  requirements: 'requirements.review',
  schedule: 'students.read',
  lock: 'placement.plan',
}
