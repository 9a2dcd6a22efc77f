import { IconCircleCheck } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { toBase64 } from '#contract/core/fields.ts'
import {
  getProgramMenuItem,
  menuLevels,
  type ProgramMenuItem,
  saveProgramMenuItem,
} from '#contract/menus/menus.ts'
import { logFailure } from '#web/api/call.ts'
import { usePageNavigate } from '#web/api/navigate.ts'
import { useAddress } from '#web/api/use-address.ts'
import { useRead, useSave } from '#web/api/use-call.ts'
import { useAppState } from '#web/api/use-state.ts'
import { PageProblem } from '#web/shell/PageProblem.tsx'
import { ReadProblem } from '#web/shell/ReadProblem.tsx'
import { Button } from '#web/ui/buttons.ts'
import { Form, FormActions, FormSection, FullWidth } from '#web/ui/form/Form.tsx'
import { MultiSelectField } from '#web/ui/form/MultiSelectField.tsx'
import { all, maxLength, required } from '#web/ui/form/rules.ts'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { Page } from '#web/ui/Page.tsx'
import { RichText } from '#web/ui/RichText.tsx'
import { WarningSign } from '#web/ui/WarningSign.tsx'
import { useLevelName } from '#web/words/level-name.ts'
import { useWords } from '#web/words/use-words.ts'
import { closeFrame } from './close-frame.ts'
import classes from './menus.module.css'

const closeAfterMs = 1_000
const isFramed = (): boolean => window.parent !== window

/** The edit page of a menu item: alone, for the frame of the menu items page. */
export function MenuItemPage() {
  const [{ id }] = useAddress({ id: null as number | null })
  const app = useAppState()
  const state = app.data
  const programId = state?.ProgramId ?? 0
  const item = useRead(
    getProgramMenuItem,
    { params: { programId, itemId: id ?? 0 } },
    { isEnabled: programId > 0 && id !== null, staleMs: 0 },
  )
  const isMissing = id === null || (state && !state.ProgramId)
  const failed = [app, item].find(({ error }) => error)
  if (isMissing || failed)
    return (
      <div className={classes.standing}>
        {failed ? <ReadProblem read={failed} standalone /> : <PageProblem kind="not-found" standalone />}
      </div>
    )
  return item.data ? <ItemForm item={item.data} programId={programId} /> : null
}

function ItemForm({ item, programId }: { item: ProgramMenuItem; programId: number }) {
  const words = useWords()
  const levelName = useLevelName()
  const navigate = usePageNavigate()
  const save = useSave(saveProgramMenuItem, { refresh: [getProgramMenuItem] })
  const [isClosing, setClosing] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  const form = useEditForm({
    initialValues: {
      PageUrl: item.PageUrl === '#' ? words('menus.heading') : item.PageUrl.replace(/^\/new\//, '/'),
      LinkName: item.LinkName,
      LinkOrder: String(item.LinkOrder),
      AccessLevels: item.AccessLevels.map(String),
      Title: item.Title,
      Directions: item.Directions,
    },
    rules: {
      LinkName: all(required(), maxLength(50)),
      LinkOrder: all(required(), (value: string) =>
        /^\s*\d{1,4}\s*$/.test(value) ? null : words('menus.numberOnly'),
      ),
      Title: maxLength(200),
    },
    labels: { Directions: words('menus.directions') },
    draftKey: `menu-item-${programId}-${item.Id}`,
    save: (values) => {
      setFailed(false)
      return save.run(
        {
          params: { programId, itemId: item.Id },
          body: {
            LinkOrder: Number(values.LinkOrder),
            LinkName: values.LinkName,
            Title: values.Title,
            AccessLevels: values.AccessLevels.map(Number),
            Directions: toBase64(values.Directions),
          },
        },
        { basedOn: item },
      )
    },
    // The specification wants such a failure logged with its status and marked beside the title, nothing else.
    onFailure: (error) => {
      logFailure('Saving a menu item', error)
      setFailed(true)
      return true
    },
  })
  const leave = () => {
    if (isFramed()) window.parent.postMessage(closeFrame, location.origin)
    else navigate('/admin/menu-items')
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the clock starts once, when it is saved
  useEffect(() => {
    if (!isClosing) return
    const timer = setTimeout(leave, closeAfterMs)
    return () => clearTimeout(timer)
  }, [isClosing])
  return (
    <div className={classes.standing}>
      <Page
        title={item.LinkName}
        isTitled={isFramed()}
        beside={hasFailed && <WarningSign text={words('menus.saveFailed')} />}
        standalone
        inset
        actions={
          isClosing ? (
            <Button loading>{words('menus.save')}</Button>
          ) : (
            <FormActions form={form} onCancel={leave} onSaved={() => setClosing(true)} always />
          )
        }
      >
        <div role="status">
          {isClosing && (
            <p className={classes.done}>
              <IconCircleCheck size={18} stroke={1.75} aria-hidden />
              {words('menus.closing')}
            </p>
          )}
        </div>
        <Form form={form} onCancel={leave} onSaved={() => setClosing(true)}>
          <FormSection name={words('menus.sectionMenu')} purpose={words('menus.sectionMenuPurpose')}>
            <FullWidth>
              <div className={classes.fields}>
                <div>
                  <div className={classes.quiet}>{words('menus.page')}</div>
                  <div>{form.values.PageUrl}</div>
                </div>
              </div>
            </FullWidth>
            <TextField label={words('menus.menuText')} required maxLength={50} {...form.field('LinkName')} />
            <TextField
              label={words('menus.order')}
              required
              maxLength={50}
              lockedBecause={!item.IsMenuItem && words('menus.orderLocked')}
              {...form.field('LinkOrder')}
            />
            <FullWidth>
              <MultiSelectField
                label={words('menus.access')}
                placeholder={words('menus.none')}
                description={
                  <>
                    {form.values.AccessLevels.length > 3 && (
                      <span className={classes.chosen}>
                        {menuLevels
                          .filter(({ Id }) => form.values.AccessLevels.includes(String(Id)))
                          .map(({ Id }) => levelName(Id))
                          .join(', ')}
                      </span>
                    )}
                    {words('menus.accessHint')}
                  </>
                }
                options={menuLevels.map(({ Id }) => ({ value: String(Id), label: levelName(Id) }))}
                {...form.field('AccessLevels')}
              />
            </FullWidth>
          </FormSection>
          <FormSection name={words('menus.sectionPage')} purpose={words('menus.sectionPagePurpose')} wide>
            <TextField
              label={words('menus.pageTitle')}
              maxLength={200}
              description={words('menus.titleDescription')}
              {...form.field('Title')}
            />
            <RichText
              label={words('menus.directions')}
              value={form.values.Directions}
              onChange={(html) => form.set('Directions', html)}
              {...(form.errors.Directions && { error: form.errors.Directions })}
            />
          </FormSection>
        </Form>
      </Page>
    </div>
  )
}
