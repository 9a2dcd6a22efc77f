import { PageMessage } from '#web/ui/PageMessage.tsx'
import { plainWords } from '#web/words/plain-words.ts'

const reload = () => location.reload()

/** In place of a page whose code could not be loaded: it is with every page, so that it is there when the network is not. */
export function PageFailed() {
  return (
    <PageMessage
      kind="error"
      text={plainWords('shell.problemTitle')}
      detail={plainWords('shell.problemNetwork')}
      onRetry={reload}
    />
  )
}

/** In place of a page that broke while it was shown. */
export function PageBroke() {
  return (
    <PageMessage
      kind="error"
      text={plainWords('shell.brokeTitle')}
      detail={plainWords('shell.brokeNext')}
      onRetry={reload}
    />
  )
}
