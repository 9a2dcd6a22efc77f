import type { PageAddress } from '#contract/core/pages.ts'
import { useMay } from '#web/api/use-state.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { useWords } from '#web/words/use-words.ts'

/**
 * Where something can be done about a refusal or warning of a rule, for whoever may: where a proof is accepted or a student exempted, or
 * where an agreement is renewed.
 */
export const useFix = (): ((
  rule: string,
  studentId: number,
) => { label: string; href: PageAddress } | undefined) => {
  const words = useWords()
  const may = useMay()
  return (rule, studentId) => {
    if (rule === 'compliance' && may('requirements.review'))
      return { label: words('requirements.fix'), href: `/new/admin/requirements/students/${studentId}` }
    if (rule === 'agreement' && may('agreements.manage'))
      return { label: words('scheduling.toAgreements'), href: '/new/admin/affiliate-agreements' }
    return undefined
  }
}

/** The way there, behind the refusal or warning. */
export function FixRule({ rule, studentId }: { rule: string; studentId: number }) {
  const fix = useFix()(rule, studentId)
  return fix ? <PageLink href={fix.href}>{fix.label}</PageLink> : null
}
