import { useState } from 'react'
import { getCustomMenu } from '#contract/menus/menus.ts'
import { listPrograms } from '#contract/programs/programs.ts'
import { CallError, call } from '#web/api/call.ts'
import { useRead } from '#web/api/use-call.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import { useWords } from '#web/words/use-words.ts'
import type { Nodes } from './tree.ts'

/** Takes the tree of another program that the person sees into the editor. */
export function ImportMenuDialog(props: {
  programId: number
  onClose: () => void
  onImport: (nodes: Nodes, name: string) => void
}) {
  const words = useWords()
  const programs = useRead(listPrograms, {}, { staleMs: 300_000 })
  const [chosen, setChosen] = useState<string | null>(null)
  const [failure, setFailure] = useState<string>()
  const options = (programs.data ?? [])
    .filter(({ Id }) => Id !== props.programId)
    .map(({ Id, Name, CollegeName }) => ({ value: String(Id), label: `${CollegeName} - ${Name}` }))
  const isAlone = programs.data !== undefined && options.length === 0
  const take = async () => {
    try {
      const { Nodes } = await call(getCustomMenu, { params: { programId: Number(chosen) } })
      // Chosen from the same options.
      props.onImport(Nodes, options.find(({ value }) => value === chosen)!.label)
    } catch (error) {
      setFailure(error instanceof CallError ? error.message : String(error))
    }
  }
  return (
    <Dialog
      opened
      onClose={props.onClose}
      title={words('menus.importTitle')}
      width={480}
      actions={
        <>
          <LeaveButton onClick={props.onClose} />
          <DisabledReason reason={!chosen && words(isAlone ? 'menus.importNone' : 'menus.importChoose')}>
            <Button disabled={!chosen} onClick={() => void take()}>
              {words('menus.importVerb')}
            </Button>
          </DisabledReason>
        </>
      }
    >
      {isAlone && <p>{words('menus.importNone')}</p>}
      <SelectField
        name="from"
        label={words('menus.importFrom')}
        description={words('menus.importDetail')}
        options={options}
        value={chosen}
        onChange={setChosen}
        {...(failure && { error: failure })}
        required
      />
    </Dialog>
  )
}
