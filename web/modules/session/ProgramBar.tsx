import { IconArrowsExchange } from '@tabler/icons-react'
import { listColleges, listPrograms } from '#contract/programs/programs.ts'
import type { State } from '#contract/session/session.ts'
import { useRead } from '#web/api/use-call.ts'
import { useSaveState } from '#web/api/use-state.ts'
import { SelectChip } from '#web/ui/filters/SelectChip.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './session.module.css'

/** College and program, for super admins only. Choosing a program switches everything. */
export function ProgramBar({ state }: { state: State }) {
  const words = useWords()
  const colleges = useRead(listColleges, {}, { staleMs: 300_000 })
  const programs = useRead(listPrograms, {}, { staleMs: 300_000 })
  const save = useSaveState()
  const inCollege = (programs.data ?? []).filter(
    ({ CollegeId }) => !state.CollegeId || CollegeId === state.CollegeId,
  )
  const used = new Set((programs.data ?? []).map(({ CollegeId }) => CollegeId))
  const sorted = (colleges.data ?? []).toSorted((a, b) => Number(used.has(b.Id)) - Number(used.has(a.Id)))
  return (
    <>
      <IconArrowsExchange size={16} stroke={1.75} aria-hidden />
      <SelectChip
        name={words('shell.college')}
        options={sorted.map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
        value={state.CollegeId ? String(state.CollegeId) : null}
        onChange={(id) => void save.run({ CollegeId: id ? Number(id) : null, ProgramId: null })}
      />
      <SelectChip
        name={words('shell.program')}
        options={inCollege.map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
        value={state.ProgramId ? String(state.ProgramId) : null}
        onChange={(id) => void save.run({ ProgramId: id ? Number(id) : null })}
      />
      {state.ProgramId !== null && <span className={classes.barHint}>{words('shell.belongs')}</span>}
    </>
  )
}
