import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { pageAddress } from './api/root.ts'
import { queryClient } from './api/use-call.ts'
import { beginPage } from './pages.ts'
import { router } from './router.ts'
import { show } from './show.tsx'

function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  )
}

/** Shows the page of the address: any but the login page. */
export const showApp = (): void => {
  beginPage(location.pathname.slice(pageAddress('').length))
  show(App)
}
