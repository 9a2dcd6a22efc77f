import { useUser } from '#web/api/use-state.ts'
import { Page } from '#web/ui/Page.tsx'
import { useWords } from '#web/words/use-words.ts'

/** The staff's home. */
export function AdminHomePage() {
  const words = useWords()
  const { Name } = useUser()
  return <Page title={words('shell.greeting', { name: Name.split(' ')[0] ?? Name })} greeting inset />
}
