import { sessionCookie } from '#server/core/auth/cookies.ts'
import type { Services } from '#server/core/runtime/services.ts'

/**
 * By this cookie the browser that began a sign-in at a college is known when the answer comes, so that nobody can begin one
 * and have somebody else finish it, or the other way round.
 */
export const browserCookie = (services: Services): { name: string; maxAgeSeconds: number } => ({
  name: sessionCookie(services).startsWith('__Host-') ? '__Host-practicum_college' : 'practicum_college',
  maxAgeSeconds: 60 * 60,
})
