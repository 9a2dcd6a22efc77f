import { useMay } from '#web/api/use-state.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { useWords } from '#web/words/use-words.ts'

/**
 * Behind a refusal or warning of a rule, for whoever may do something about it: where a proof is accepted or a student exempted, or
 * where an agreement is renewed.
 */
export function FixRule({ rule, studentId }: { rule: string; studentId: number }) {
  const words = useWords()
  const may = useMay()
  if (rule === 'compliance' && may('requirements.review'))
    return (
      <PageLink href={`/new/admin/requirements/students/${studentId}`}>{words('requirements.fix')}</PageLink>
    )
  if (rule === 'agreement' && may('agreements.manage'))
    return <PageLink href="/new/admin/affiliate-agreements">{words('scheduling.toAgreements')}</PageLink>
  return null
}
