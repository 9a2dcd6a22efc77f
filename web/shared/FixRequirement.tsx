import { useMay } from '#web/api/use-state.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { useWords } from '#web/words/use-words.ts'

/** Behind a refusal because of a requirement, for whoever may do something about it: where a proof is accepted, or a student exempted. */
export function FixRequirement({ rule, studentId }: { rule: string; studentId: number }) {
  const words = useWords()
  const may = useMay()
  if (rule !== 'compliance' || !may('requirements.review')) return null
  return (
    <PageLink href={`/new/admin/requirements/students/${studentId}`}>{words('requirements.fix')}</PageLink>
  )
}
