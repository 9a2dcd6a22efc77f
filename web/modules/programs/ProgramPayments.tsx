import { IconPlus } from '@tabler/icons-react'
import type { ProgramRow } from '#contract/programs/programs.ts'
import { useMay } from '#web/api/use-state.ts'
import { PageLink } from '#web/shell/PageLink.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './programs.module.css'

/** How the payments of a program are arranged; opens the arrangement, or a new one where payments are on. */
export function ProgramPayments({ program }: { program: ProgramRow }) {
  const words = useWords()
  const mayManage = useMay()('payments.manage')
  const { Id, Name, Arrangement } = program
  if (!Arrangement && !program.Payments) return '–'
  const standing = Arrangement
    ? words(`payments.standing_${Arrangement.Standing}`)
    : words('payments.columnNone')
  if (!mayManage || (!Arrangement && program.DeletedAt)) return standing
  return (
    <PageLink
      className={classes.payments}
      href={`/new/admin/payments/edit?program=${Id}${Arrangement ? `&id=${Arrangement.Id}` : ''}`}
      aria-label={words('payments.openNamed', { name: Name, standing })}
      onClick={(event) => event.stopPropagation()}
    >
      {!Arrangement && <IconPlus size={14} stroke={2} aria-hidden />}
      {standing}
    </PageLink>
  )
}
