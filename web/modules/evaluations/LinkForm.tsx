import { useEffect, useState } from 'react'
import { type AnswerStore, forgetLinkAnswers, readLinkAnswers, storeOfLink } from './answer-store.ts'
import { FillForm, type FillFormProps } from './FillForm.tsx'

/** A form behind a link, with what was answered on this device before and is not on the server or not shown by it. */
export function LinkForm(props: Omit<FillFormProps & { isPreview?: false }, 'store'>) {
  const { Id, IsAnonymous: isAnonymous } = props.form
  const [store, setStore] = useState<AnswerStore>()
  useEffect(() => {
    let isLeft = false
    void readLinkAnswers(Id).then((answers) => {
      if (!isLeft) setStore(storeOfLink(Id, answers, { isAnonymous }))
    })
    return () => {
      isLeft = true
    }
  }, [Id, isAnonymous])
  const submitted = () => {
    void forgetLinkAnswers(Id)
    props.onSubmitted()
  }
  return store && <FillForm {...props} store={store} onSubmitted={submitted} />
}
