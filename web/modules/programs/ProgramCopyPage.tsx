import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import type { AnswerOf } from '#contract/core/endpoint.ts'
import {
  type CopyCode,
  childrenOf,
  copyCodes,
  copyProgram,
  forcedBy,
  sameProgramMessage,
  toggled,
  withNeeded,
} from '#contract/programs/program-copy.ts'
import { listPrograms, programLabel } from '#contract/programs/programs.ts'
import { call, logFailure } from '#web/api/call.ts'
import { queryClient, useRead } from '#web/api/use-call.ts'
import { Tooltip } from '#web/ui/base.ts'
import { Button } from '#web/ui/buttons.ts'
import { DisabledReason } from '#web/ui/DisabledReason.tsx'
import { Form, FormSection } from '#web/ui/form/Form.tsx'
import { required } from '#web/ui/form/rules.ts'
import { SelectField } from '#web/ui/form/SelectField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { Page } from '#web/ui/Page.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './programs.module.css'

type Copied = AnswerOf<typeof copyProgram>['Copied']

/** Copy program data: from one program into another, what is ticked in the tree. */
export function ProgramCopyPage() {
  const words = useWords()
  const programs = useRead(listPrograms)
  const [chosen, setChosen] = useState<ReadonlySet<CopyCode>>(new Set())
  const ticked = new Set(withNeeded(chosen))
  const [copied, setCopied] = useState<Copied>([])
  const [isFailed, setFailed] = useState(false)
  const options = (programs.data ?? []).map((program) => ({
    value: String(program.Id),
    label: programLabel(program),
  }))
  const form = useEditForm({
    initialValues: { source: null as string | null, destination: null as string | null },
    rules: {
      source: required(words('programs.copyRequired')),
      destination: (value: string | null, { source }: { source: string | null }) =>
        value === null ? words('programs.copyRequired') : value === source ? sameProgramMessage : null,
    },
    save: async ({ source, destination }) => {
      setFailed(false)
      setCopied([])
      try {
        const answer = await call(copyProgram, {
          query: {
            sourceProgramId: Number(source),
            destinationProgramId: Number(destination),
            dataTypes: copyCodes.filter((code) => ticked.has(code)),
          },
        })
        // Anything of the destination may be new, and of every screen.
        void queryClient.invalidateQueries()
        setCopied(answer.Copied)
        toast.done(words('programs.copyDone'))
      } catch (error) {
        // Failures are logged and told by no message: the sign beside the button says what became of it.
        logFailure('Copying a program', error)
        setFailed(true)
      }
    },
  })
  const forced = forcedBy(ticked)
  const change = (code: CopyCode) => {
    setCopied([])
    setChosen(toggled(chosen, code))
  }
  const isAll = ticked.size === copyCodes.length
  return (
    <Page
      title={words('programs.copyTitle')}
      actions={
        <>
          {isFailed && (
            <Tooltip label={words('programs.copyFailed')}>
              <IconAlertTriangle
                className={classes.failed}
                size={18}
                stroke={1.75}
                role="img"
                aria-label={words('programs.copyFailed')}
              />
            </Tooltip>
          )}
          <DisabledReason reason={ticked.size === 0 && words('programs.copyNothing')}>
            <Button disabled={form.isSaving} loading={form.isSaving} onClick={() => void form.submit()}>
              {words('programs.copy')}
            </Button>
          </DisabledReason>
        </>
      }
      inset
    >
      <Form form={form}>
        <p className={classes.warning}>
          <IconAlertTriangle size={18} stroke={1.75} aria-hidden />
          {words('programs.copyWarning')}
        </p>
        <FormSection name={words('programs.copyPrograms')} purpose={words('programs.copyProgramsPurpose')}>
          <SelectField
            label={words('programs.copySource')}
            required
            options={options}
            {...form.field('source')}
          />
          <SelectField
            label={words('programs.copyDestination')}
            required
            options={options}
            {...form.field('destination')}
          />
        </FormSection>
        <FormSection name={words('programs.copyData')} purpose={words('programs.copyDataPurpose')} wide>
          <div className={classes.tree}>
            <label className={classes.entry}>
              <input
                type="checkbox"
                className="p-tick"
                checked={isAll}
                ref={(box) => {
                  if (box) box.indeterminate = ticked.size > 0 && !isAll
                }}
                onChange={() => {
                  setCopied([])
                  setChosen(new Set(isAll ? [] : copyCodes))
                }}
              />
              <b>{words('programs.copyAll')}</b>
            </label>
            <Branch of={undefined} {...{ ticked, forced, copied, change }} />
          </div>
        </FormSection>
      </Form>
    </Page>
  )
}

function Branch(props: {
  of: CopyCode | undefined
  ticked: ReadonlySet<CopyCode>
  forced: ReadonlyMap<CopyCode, CopyCode>
  copied: Copied
  change: (code: CopyCode) => void
}) {
  const { of, ticked, forced, copied, change } = props
  const words = useWords()
  const codes = childrenOf(of)
  if (codes.length === 0) return null
  return (
    <ul>
      {codes.map((code) => {
        const by = forced.get(code)
        const count = copied.find(({ Code }) => Code === code)?.Count
        return (
          <li key={code}>
            <label className={classes.entry}>
              <input
                type="checkbox"
                className="p-tick"
                value={code}
                checked={ticked.has(code)}
                disabled={by !== undefined}
                onChange={() => change(code)}
              />
              {words(`programs.copy_${code}`)}
              {by && (
                <span className={classes.note}>
                  {words('programs.copyNeeded', { name: words(`programs.copy_${by}`) })}
                </span>
              )}
              {count !== undefined && (
                <span className={classes.note}>
                  {count === 0 ? words('programs.copyNone') : words('programs.copied', { count })}
                </span>
              )}
            </label>
            <Branch {...props} of={code} />
          </li>
        )
      })}
    </ul>
  )
}
