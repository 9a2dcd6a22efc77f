import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { takeAnswers } from './api/answers.ts'
import { nextStep } from './api/next-step.ts'
import { pageAddress } from './api/root.ts'
import { queryClient } from './api/use-call.ts'
import { beginPage } from './pages.ts'
import { makeRouter } from './router.ts'
import { show } from './show.tsx'
import { Questions } from './ui/Questions.tsx'

/** Shows the page of the address: any but the login page. In steps, between which a slow phone answers touches. */
export const showApp = async (): Promise<void> => {
  await nextStep()
  takeAnswers()
  beginPage(location.pathname.slice(pageAddress('').length))
  await nextStep()
  const router = makeRouter()
  await nextStep()
  show(() => (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Questions />
    </QueryClientProvider>
  ))
}
