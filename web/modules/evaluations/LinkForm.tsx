import { useEffect, useState } from 'react'
import { type AnswerShelf, readLinkAnswers, shelfOfLink } from './answer-shelf.ts'
import { FillForm, type FillFormProps } from './FillForm.tsx'

/** A form behind a link, with what was answered on this device before and has not arrived. */
export function LinkForm(props: Omit<FillFormProps & { isPreview?: false }, 'shelf'>) {
  const { Id } = props.form
  const [shelf, setShelf] = useState<AnswerShelf>()
  useEffect(() => {
    let isLeft = false
    void readLinkAnswers(Id).then((answers) => {
      if (!isLeft) setShelf(shelfOfLink(Id, answers))
    })
    return () => {
      isLeft = true
    }
  }, [Id])
  return shelf && <FillForm {...props} shelf={shelf} />
}
