import { z } from 'zod'

/** Whom to call at a site: the first of its contacts with a phone. */
export const SitePhone = z.object({ Name: z.string(), Role: z.string(), Phone: z.string() })
export type SitePhone = z.infer<typeof SitePhone>
