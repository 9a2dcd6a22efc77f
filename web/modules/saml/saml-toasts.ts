import { logFailure } from '#web/api/call.ts'
import { toldBy } from '#web/api/told.ts'
import { toast } from '#web/ui/toast.tsx'

/** The message about SAML is at the bottom for six seconds. */
export const samlToasts = { place: 'bottom-center', duration: 6000, limit: 1 } as const

/** Shows a failure in red: in the server's words where it gave some, otherwise in these. */
export const showFailure = (error: unknown, fallback: string): void => {
  logFailure(fallback, error)
  toast.error(toldBy(error) || fallback)
}
