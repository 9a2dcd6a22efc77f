import { queryClient } from './use-call.ts'

/** Takes over the answers that the server wrote into the page: its words and its person are known before anything is drawn. */
export const takeAnswers = (): void => {
  const text = document.getElementById('answers')?.textContent
  if (!text) return
  for (const [key, answer] of JSON.parse(text) as [readonly unknown[], unknown][])
    queryClient.setQueryData(key, answer)
}
