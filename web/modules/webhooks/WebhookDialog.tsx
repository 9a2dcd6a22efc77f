import {
  createWebhook,
  listWebhooks,
  updateWebhook,
  type Webhook,
  webhookEvents,
} from '#contract/webhooks/webhooks.ts'
import { useSave } from '#web/api/use-call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Form } from '#web/ui/form/Form.tsx'
import { MultiSelectField } from '#web/ui/form/MultiSelectField.tsx'
import { SwitchField } from '#web/ui/form/SwitchField.tsx'
import { TextField } from '#web/ui/form/TextField.tsx'
import { useEditForm } from '#web/ui/form/use-edit-form.ts'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'

export type WebhookDialogProps = {
  webhook: Webhook | undefined
  onMade: (made: { Url: string; Secret: string }) => void
  onClose: () => void
}

/** Adds or changes an endpoint. */
export function WebhookDialog({ webhook, onMade, onClose }: WebhookDialogProps) {
  const words = useWords()
  const programId = useProgramId()
  const create = useSave(createWebhook, { refresh: [listWebhooks] })
  const update = useSave(updateWebhook, { refresh: [listWebhooks] })
  const form = useEditForm({
    initialValues: {
      Url: webhook?.Url ?? 'https://',
      Description: webhook?.Description ?? '',
      Events: webhook?.Events ?? [],
      IsEnabled: webhook?.IsEnabled ?? true,
    },
    save: async (values) => {
      // Names of the list below.
      const body = { ...values, Events: values.Events as never }
      if (webhook) {
        await update.run({ params: { programId, webhookId: webhook.Id }, body }, { basedOn: webhook })
        toast.done(words('webhooks.saved'))
      } else onMade(await create.run({ params: { programId }, body }))
      onClose()
    },
  })
  return (
    <Dialog
      opened
      onClose={onClose}
      title={words(webhook ? 'webhooks.editTitle' : 'webhooks.addTitle')}
      subtitle={words('webhooks.purpose')}
      stayOnOutsideClick
      actions={
        <>
          <LeaveButton onClick={onClose} />
          <Button loading={form.isSaving} onClick={() => void form.submit()}>
            {words(webhook ? 'webhooks.save' : 'webhooks.add')}
          </Button>
        </>
      }
    >
      <Form form={form} onCancel={onClose}>
        <TextField
          label={words('webhooks.url')}
          description={words('webhooks.urlHint')}
          maxLength={2_000}
          required
          {...form.field('Url')}
        />
        <TextField
          label={words('webhooks.description')}
          placeholder={words('webhooks.descriptionExample')}
          maxLength={200}
          {...form.field('Description')}
        />
        <MultiSelectField
          label={words('webhooks.events')}
          required
          options={webhookEvents.map((event) => ({ value: event, label: event }))}
          {...form.field('Events')}
        />
        <SwitchField label={words('webhooks.isEnabled')} {...form.field('IsEnabled')} />
      </Form>
    </Dialog>
  )
}
