import { useState } from 'react'
import type { MenuNode } from '#contract/menus/menus.ts'
import { Button } from '#web/ui/buttons.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { TextInput } from '#web/ui/inputs.ts'
import { LeaveButton } from '#web/ui/LeaveButton.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './menus.module.css'

/** What the dialog is about: something new, or the name of something there. */
export type Asked = { kind: 'link' } | { kind: 'category' } | { kind: 'rename'; node: MenuNode; name: string }

const goodAddress = /^(https:\/\/[^\s/]+\.[^\s]+|\/new\/[^\s]*)$/

/** Asks for the name of an entry of the menu, and for the address of a link. */
export function NodeDialog(props: {
  asked: Asked
  onClose: () => void
  onDone: (values: { Name: string; Url: string }) => void
}) {
  const { asked } = props
  const words = useWords()
  const first = asked.kind === 'rename' ? { name: asked.name, url: asked.node.Url } : { name: '', url: '' }
  const [name, setName] = useState(first.name)
  const [url, setUrl] = useState(first.url)
  const [isTried, setTried] = useState(false)
  const hasUrl = asked.kind === 'link' || (asked.kind === 'rename' && asked.node.Kind === 'link')
  const nameError = name.trim() === '' && words('menus.nameMissing')
  const urlError = hasUrl && !goodAddress.test(url.trim()) && words('menus.addressWrong')
  const title =
    asked.kind === 'rename'
      ? words('menus.renameTitle', { name: asked.name })
      : words(asked.kind === 'link' ? 'menus.createTitle' : 'menus.categoryTitle')
  return (
    <Dialog
      opened
      onClose={props.onClose}
      unsaved={Number(name !== first.name) + Number(url !== first.url)}
      title={title}
      width={440}
      actions={
        <>
          <LeaveButton onClick={props.onClose} />
          <Button type="submit" form="menu-node">
            {words(asked.kind === 'rename' ? 'menus.rename' : 'menus.add')}
          </Button>
        </>
      }
    >
      <form
        id="menu-node"
        className={classes.fields}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (!nameError && !urlError) props.onDone({ Name: name.trim(), Url: hasUrl ? url.trim() : '' })
        }}
      >
        <TextInput
          label={words('menus.name')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={50}
          withAsterisk
          autoComplete="off"
          error={isTried && nameError}
          data-autofocus
        />
        {hasUrl && (
          <TextInput
            label={words('menus.address')}
            description={words('menus.addressHint')}
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
            maxLength={255}
            withAsterisk
            autoComplete="off"
            error={isTried && urlError}
          />
        )}
      </form>
    </Dialog>
  )
}
