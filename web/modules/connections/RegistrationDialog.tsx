import { Button } from '@mantine/core'
import { useState } from 'react'
import { getConnection, listConnections } from '#contract/connections/connections.ts'
import { createLtiRegistration, type LtiRegistration } from '#contract/connections/lti.ts'
import { useSave } from '#web/api/use-call.ts'
import { useTimeZone } from '#web/api/use-state.ts'
import { NewSecret } from '#web/shared/NewSecret.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { formatInstant } from '#web/ui/dates.ts'
import { Form } from '#web/ui/form/Form.tsx'
import { required } from '#web/ui/form/rules.ts'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { useWords } from '#web/words/use-words.ts'
import { AccessFields } from './AccessSection.tsx'
import { NameField } from './name-fields.tsx'

/** A registration address that was just made, this once, with what is done with it. */
export function AddressShown({ made, onClose }: { made: LtiRegistration; onClose: () => void }) {
  const words = useWords()
  const zone = useTimeZone()
  return (
    <Dialog
      opened
      onClose={onClose}
      width={640}
      title={words('lti.registration.made')}
      stayOnOutsideClick
      actions={<Button onClick={onClose}>{words('lti.registration.done')}</Button>}
    >
      <NewSecret
        label={words('lti.registration.address')}
        secret={made.Address}
        once={words('lti.registration.once')}
      >
        <p>{words('lti.registration.use', { date: formatInstant(made.ExpireDate, zone) })}</p>
        <p>{words('lti.registration.after')}</p>
        {location.protocol !== 'https:' && <p>{words('lti.insecure')}</p>}
      </NewSecret>
    </Dialog>
  )
}

/** Begins the connection of an LMS that registers by itself: what it may reach, and then the address for it. */
export function RegistrationDialog({
  onMade,
  onClose,
}: {
  onMade: (connectionId: number) => void
  onClose: () => void
}) {
  const words = useWords()
  const create = useSave(createLtiRegistration, { refresh: [listConnections, getConnection] })
  const [made, setMade] = useState<LtiRegistration>()
  const form = useEditForm({
    initialValues: { Name: '', ProgramId: null as string | null, AccessLevel: null as string | null },
    rules: { Name: required(), ProgramId: required(), AccessLevel: required() },
    save: async ({ Name, ProgramId, AccessLevel }) => {
      const body = { Name, ProgramId: Number(ProgramId), AccessLevel: Number(AccessLevel) }
      setMade(await create.run({ body }))
    },
  })
  if (made) return <AddressShown made={made} onClose={() => onMade(made.ConnectionId)} />
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words('lti.registration.title')}
      subtitle={words('lti.registration.purpose')}
      stayOnOutsideClick
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {words('lti.cancel')}
          </Button>
          <Button loading={form.isSaving} onClick={() => void form.submit()}>
            {words('lti.registration.make')}
          </Button>
        </>
      }
    >
      <Form form={form} onCancel={onClose}>
        <NameField hint={words('lti.nameHint')} {...form.field('Name')} />
        <AccessFields program={form.field('ProgramId')} level={form.field('AccessLevel')} />
      </Form>
    </Dialog>
  )
}
