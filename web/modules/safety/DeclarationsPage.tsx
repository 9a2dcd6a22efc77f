import { useState } from 'react'
import { type Declaration, listDeclarations } from '#contract/safety/declarations.ts'
import { useRead } from '#web/api/use-call.ts'
import { useListAddress } from '#web/api/use-list-address.ts'
import { useMay, useProgramId } from '#web/api/use-state.ts'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { Button } from '#web/ui/buttons.ts'
import { dateOfInstant, formatDate } from '#web/ui/dates.ts'
import { fromList } from '#web/ui/grid/from-list.ts'
import { Grid } from '#web/ui/grid/Grid.tsx'
import { Pager } from '#web/ui/grid/Pager.tsx'
import { Page } from '#web/ui/Page.tsx'
import { PageMessage } from '#web/ui/PageMessage.tsx'
import { StatusTag } from '#web/ui/StatusTag.tsx'
import { useWords } from '#web/words/use-words.ts'
import { OfficersDialog } from './OfficersDialog.tsx'

const pageSize = 50

/** Declarations of pregnancy, for directors and radiation safety officers alone. */
export function DeclarationsPage() {
  const words = useWords()
  const programId = useProgramId()
  const maySet = useMay()('radiation-officers.set')
  const { paging, pager } = useListAddress(listDeclarations, { page: 1 }, pageSize)
  const { page, pageSize: size } = paging
  const list = useRead(listDeclarations, { params: { programId }, query: { page, pageSize: size } })
  const [isSetting, setSetting] = useState(false)
  if (list.error && list.error.status !== 403) return <ReadProblem read={list} />
  const total = list.data?.Total ?? 0
  return (
    <Page
      title={words('safety.declarationsTitle')}
      intro={words('safety.declarationsIntro')}
      actions={
        maySet && (
          <Button variant="default" onClick={() => setSetting(true)}>
            {words('safety.officers')}
          </Button>
        )
      }
      footer={list.data && words('safety.declarationsCount', { count: total })}
      footerEnd={list.data && <Pager {...pager} total={total} />}
    >
      {list.error ? (
        <PageMessage kind="empty" text={list.error.message} />
      ) : (
        <Grid
          id="pregnancy-declarations"
          label={words('safety.declarationsTitle')}
          {...fromList(list)}
          rowKey={({ Id }) => Id}
          empty={{ text: words('safety.noDeclarations') }}
          columns={[
            { id: 'Student', header: words('safety.student'), identity: true, minWidth: 180, grow: 2 },
            {
              id: 'SignedAt',
              header: words('safety.signed'),
              width: 120,
              cell: (row: Declaration) => formatDate(dateOfInstant(row.SignedAt)),
            },
            {
              id: 'ConceivedOn',
              header: words('safety.conceived'),
              width: 220,
              cell: (row: Declaration) => formatDate(row.ConceivedOn),
            },
            {
              id: 'WithdrawnAt',
              header: words('safety.withdrawn'),
              minWidth: 140,
              grow: 1,
              cell: (row: Declaration) =>
                row.WithdrawnAt ? (
                  formatDate(dateOfInstant(row.WithdrawnAt))
                ) : (
                  <StatusTag status="approved">{words('safety.holds')}</StatusTag>
                ),
            },
          ]}
        />
      )}
      {isSetting && <OfficersDialog onClose={() => setSetting(false)} />}
    </Page>
  )
}
