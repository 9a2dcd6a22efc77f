import { IconFileText } from '@tabler/icons-react'
import { useState } from 'react'
import { exportCompetencyRecords, listStudentPlaces } from '#contract/competencies/competency-grid.ts'
import { getStudentStanding } from '#contract/competencies/procedure-logs.ts'
import { callAddress } from '#web/api/call.ts'
import { useRead } from '#web/api/use-call.ts'
import { StandingStudies, StandingSummary } from '#web/shared/StandingCard.tsx'
import { FileButton } from '#web/shell/FileButton.tsx'
import { PageLink } from '#web/shell/PageLink.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './students.module.css'

/** The card of a student's competencies as the student sees it, with the record as a file. */
export function StudentCompetencies({ at }: { at: { params: { programId: number; studentId: number } } }) {
  const words = useWords()
  const [isWanted, setWanted] = useState(false)
  const standing = useRead(getStudentStanding, at, { keepsLast: false })
  const places = useRead(listStudentPlaces, at, { isEnabled: isWanted, keepsLast: false })
  if (standing.error && !standing.data)
    return <PageMessage kind="error" text={standing.error.message} onRetry={() => void standing.refetch()} />
  if (!standing.data) return null
  if (!standing.data.List)
    return (
      <PageMessage
        kind="empty"
        text={words('students.noCompetencyList')}
        next={<PageLink href="/new/admin/competencies/lists">{words('competencyProgress.toLists')}</PageLink>}
      />
    )
  const { List } = standing.data
  const { programId, studentId } = at.params
  return (
    <div className={classes.competencies}>
      <div className={classes.competencyVerbs}>
        <span>{List.Name}</span>
        <FileButton
          variant="default"
          href={callAddress(exportCompetencyRecords, {
            params: { programId },
            query: { StudentIds: [studentId] },
          })}
          leftSection={<IconFileText size={17} stroke={1.75} aria-hidden />}
        >
          {words('competencyProgress.record')}
        </FileButton>
      </div>
      <StandingSummary standing={standing.data} electivesNeeded={List.ElectivesNeeded} />
      <StandingStudies
        standing={standing.data}
        electivesNeeded={List.ElectivesNeeded}
        places={places.data?.Procedures}
        onProcedures={() => setWanted(true)}
      />
    </div>
  )
}
