import { getMailServer } from '#contract/communication/emails.ts'
import { useRead } from '#web/api/use-call.ts'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'

/** Tells how many students were written to, and that the emails only wait where no mail server is set. */
export const useMailed = () => {
  const words = useWords()
  const server = useRead(getMailServer, {}, { staleMs: 300_000 })
  return ({ Mailed: count, WithoutAddress }: { Mailed: number; WithoutAddress: number }) => {
    const waits = count > 0 && server.data?.IsSet === false
    const detail = [
      waits && words('time.mailWaits'),
      WithoutAddress > 0 && words('time.withoutAddress', { count: WithoutAddress }),
    ]
    toast.done({
      title: words(count === 0 ? 'time.mailedNobody' : waits ? 'time.mailQueued' : 'time.mailed', { count }),
      detail: detail.filter(Boolean).join(' '),
    })
  }
}
