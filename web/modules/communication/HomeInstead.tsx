import { Navigate } from '@tanstack/react-router'

/** For pages of super admins that the person may not open: they lead to the admin home page (specification 1 §6). */
export function HomeInstead() {
  return <Navigate to={'/admin/home' as never} replace />
}
