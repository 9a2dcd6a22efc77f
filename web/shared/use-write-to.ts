import { usePageNavigate } from '#web/api/navigate.ts'
import { htmlOfText } from '#web/ui/html-text.ts'

/** Opens Send email with these people chosen, and a subject and text where there are any; each line is a paragraph. */
export const useWriteTo = () => {
  const navigate = usePageNavigate()
  return (
    people: readonly { id: number; name: string }[],
    { subject, text }: { subject?: string; text?: string } = {},
  ) =>
    navigate('/admin/emails', {
      state: {
        recipients: [...new Map(people.map((person) => [person.id, person])).values()],
        ...(subject !== undefined && { subject }),
        ...(text !== undefined && { body: htmlOfText(text) }),
        returnUrl: location.pathname + location.search,
      },
    })
}
