import { NewSecret } from '#web/shared/NewSecret.tsx'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { useWords } from '#web/words/use-words.ts'

/** A new code, this once. */
export function CodeDialog({ code, onClose }: { code: string; onClose: () => void }) {
  const words = useWords()
  return (
    <Dialog
      opened
      stayOnOutsideClick
      onClose={onClose}
      title={words('sharedSites.code')}
      subtitle={words('sharedSites.codeHint')}
      actions={
        <Button size="lg" onClick={onClose}>
          {words('sharedSites.done')}
        </Button>
      }
    >
      <NewSecret label={words('sharedSites.typeCode')} secret={code} />
    </Dialog>
  )
}
