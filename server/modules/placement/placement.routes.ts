import { acceptanceRoutes } from './acceptances.routes.ts'
import { draftRoutes } from './drafts.routes.ts'
import { ownPlacementRoutes } from './own-placement.routes.ts'
import { planRoutes } from './plans.routes.ts'

export const placementRoutes = [...planRoutes, ...draftRoutes, ...acceptanceRoutes, ...ownPlacementRoutes]
