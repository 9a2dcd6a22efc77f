import { Level } from '#contract/levels.ts'
import { listUsers } from '#contract/people.ts'
import { useRead } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import { Page } from '#web/ui/Page.tsx'
import { useWords } from '#web/words/use-words.ts'

/** A supervisor's students: those who have or had a shift at one of the own sites. */
export function SupervisedStudentsPage() {
  const words = useWords()
  const programId = useProgramId()
  const students = useRead(listUsers, { params: { programId }, query: { AccessLevel: Level.Student } })
  return (
    <Page title={words('communication.students')} count={students.data?.length}>
      <Grid
        id="supervised-students"
        label={words('communication.students')}
        {...fromList(students)}
        rowKey={(row) => row.Id}
        sortHere
        empty={{ text: words('communication.studentsEmpty') }}
        columns={[
          {
            id: 'LastName',
            header: words('people.lastName'),
            identity: true,
            sortable: true,
            cell: (row) => `${row.LastName}, ${row.FirstName}`,
          },
          {
            id: 'EmailAddress',
            header: words('people.email'),
            text: (row) => row.EmailAddress,
            cell: (row) => <a href={`mailto:${row.EmailAddress}`}>{row.EmailAddress}</a>,
          },
        ]}
      />
    </Page>
  )
}
