import { acceptanceRoutes } from './after/acceptances.routes.ts'
import { ownPlacementRoutes } from './after/own-placement.routes.ts'
import { draftRoutes } from './draft/drafts.routes.ts'
import { planRoutes } from './plan/plans.routes.ts'
import { conflictRoutes } from './solve/conflicts.routes.ts'

export const placementRoutes = [
  ...planRoutes,
  ...conflictRoutes,
  ...draftRoutes,
  ...acceptanceRoutes,
  ...ownPlacementRoutes,
]
