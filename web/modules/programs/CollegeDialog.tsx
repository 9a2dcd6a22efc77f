import { webAddressOf } from '#contract/core/writing.ts'
import { type CollegeRow, getCollege } from '#contract/programs/programs.ts'
import { useRead } from '#web/api/use-call.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './programs.module.css'

/** A college to look at, without a form around it. */
export function CollegeDialog({ college, onClose }: { college: CollegeRow; onClose: () => void }) {
  const words = useWords()
  const found = useRead(getCollege, { params: { collegeId: college.Id } }, { keepsLast: false })
  const row = found.data
  const website = row && webAddressOf(row.Website)
  const facts: false | undefined | [string, React.ReactNode][] = row && [
    [words('programs.address'), row.Address],
    [words('programs.city'), row.City],
    [words('programs.state'), row.State],
    [words('programs.zip'), row.Zip],
    [words('programs.phone'), row.Phone],
    [
      words('programs.website'),
      website ? (
        <a key="website" href={website} target="_blank" rel="noreferrer">
          {row.Website}
        </a>
      ) : (
        row.Website
      ),
    ],
    [words('programs.programsOf'), String(college.ProgramCount)],
  ]
  return (
    <Dialog opened onClose={onClose} title={college.Name}>
      {found.error && (
        <PageMessage kind="error" text={found.error.message} onRetry={() => void found.refetch()} />
      )}
      <dl className={classes.view}>
        {facts?.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value || '–'}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
