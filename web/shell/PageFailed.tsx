import { wasUpdated } from '#web/api/updated.ts'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { plainWords } from '#web/words/plain-words.ts'

/** In place of a page whose code could not be loaded: it is with every page, so that it is there when the network is not. */
export function PageFailed() {
  return (
    <PageMessage
      kind="error"
      text={plainWords(wasUpdated() ? 'shell.updated' : 'shell.problemTitle')}
      detail={!wasUpdated() && plainWords('shell.problemNetwork')}
      onRetry={() => location.reload()}
    />
  )
}
