import { useEffect, useState } from 'react'
import { type AnswerShelf, forgetLinkAnswers, readLinkAnswers, shelfOfLink } from './answer-shelf.ts'
import { FillForm, type FillFormProps } from './FillForm.tsx'

/** A form behind a link, with what was answered on this device before and is not on the server or not shown by it. */
export function LinkForm(props: Omit<FillFormProps & { isPreview?: false }, 'shelf'>) {
  const { Id, IsAnonymous: isAnonymous } = props.form
  const [shelf, setShelf] = useState<AnswerShelf>()
  useEffect(() => {
    let isLeft = false
    void readLinkAnswers(Id).then((answers) => {
      if (!isLeft) setShelf(shelfOfLink(Id, answers, { isAnonymous }))
    })
    return () => {
      isLeft = true
    }
  }, [Id, isAnonymous])
  const submitted = () => {
    void forgetLinkAnswers(Id)
    props.onSubmitted()
  }
  return shelf && <FillForm {...props} shelf={shelf} onSubmitted={submitted} />
}
