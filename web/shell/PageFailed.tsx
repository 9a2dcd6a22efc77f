import { wasUpdated } from '#web/api/updated.ts'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { plainWords } from '#web/words/plain-words.ts'

function Failed({ text, detail }: { text: string; detail: string | false }) {
  return <PageMessage kind="error" text={text} detail={detail} onRetry={() => location.reload()} />
}

/** In place of a page whose code could not be loaded: it is with every page, so that it is there when the network is not. */
export const PageFailed = () => (
  <Failed
    text={plainWords(wasUpdated() ? 'shell.updated' : 'shell.problemTitle')}
    detail={!wasUpdated() && plainWords('shell.problemNetwork')}
  />
)

/** In place of a page that broke while it was shown. */
export const PageBroke = () => (
  <Failed text={plainWords('shell.brokeTitle')} detail={plainWords('shell.brokeNext')} />
)
