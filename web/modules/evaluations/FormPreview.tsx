import { type FilledForm, type FormWords, formWords } from '#contract/evaluations/evaluations.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { useWords } from '#web/words/use-words.ts'
import { FillForm } from './FillForm.tsx'

/** The form as the evaluator sees it, to be tried out: nothing is kept and nothing is sent. */
export function FormPreview({ template, onClose }: { template: FormWords; onClose: () => void }) {
  const words = useWords()
  const form: FilledForm = {
    Id: 0,
    ...formWords(template),
    Evaluator: '',
    Subject: '',
    Site: '',
    Date: '1900-01-01',
    EndDate: null,
    Status: 0,
    IsStopped: false,
    SubmittedAt: null,
    SignedName: '',
    Score: null,
    MayFill: true,
    Answers: [],
    Missing: [],
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={template.Title}
      subtitle={words('evaluations.previewTitle')}
      width={680}
    >
      {form.Items.length === 0 ? (
        <p>{words('evaluations.previewEmpty')}</p>
      ) : (
        <FillForm form={form} isPreview />
      )}
    </Dialog>
  )
}
