import { whenLoaded } from '#web/ui/later.tsx'

/** Signs out. What is done then comes with the press: no page needs it before. */
export const logOut = (): void =>
  whenLoaded(
    () => import('./sign-out.ts'),
    ({ signOut }) => void signOut(),
  )
