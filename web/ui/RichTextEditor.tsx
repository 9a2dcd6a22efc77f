import '@mantine/tiptap/styles.layer.css'
import { Menu } from '@mantine/core'
import { RichTextEditor as Frame } from '@mantine/tiptap'
import { IconBraces, IconPhoto } from '@tabler/icons-react'
import Image from '@tiptap/extension-image'
import { useEditor, useEditorState } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import { useEffect, useRef } from 'react'
import { useFileSending } from '#web/api/use-file-sending.ts'
import { useWords } from '#web/words/use-words.ts'
import { FloatingMenu } from './FloatingMenu.tsx'
import classes from './RichText.module.css'
import type { RichTextProps } from './rich-text-types.ts'
import { toast } from './toast.tsx'

/** A first description of a picture out of its file's name: `ward-map_2.png` gives `ward map 2`. */
const describe = (fileName: string): string =>
  fileName
    .replace(/\.\w+$/, '')
    .replace(/[-_]+/g, ' ')
    .trim()

const maxAlt = 250

/** The editor behind `RichText`. */
export function RichTextEditor(props: RichTextProps & { height: number; labelId: string }) {
  const { value, onChange, onUploadImage, fields = [], isReadOnly, height, labelId } = props
  const words = useWords()
  useFileSending()
  const told = useRef(value)
  const picker = useRef<HTMLInputElement>(null)
  const latest = useRef({ onChange, onUploadImage })
  latest.current = { onChange, onUploadImage }

  const editor = useEditor({
    extensions: [StarterKit.configure({ link: { openOnClick: false } }), Image],
    content: value,
    editable: !isReadOnly,
    immediatelyRender: true,
    editorProps: {
      attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-labelledby': labelId },
      handleDrop: (_view, event) => takeFiles((event as DragEvent).dataTransfer?.files),
      handlePaste: (_view, event) => takeFiles(event.clipboardData?.files),
    },
    onUpdate: ({ editor: changed }) => {
      const html = changed.isEmpty ? '' : changed.getHTML()
      told.current = html
      latest.current.onChange(html)
    },
  })

  function takeFiles(files: FileList | undefined): boolean {
    const pictures = [...(files ?? [])].filter((file) => file.type.startsWith('image/'))
    if (pictures.length === 0 || !latest.current.onUploadImage) return false
    for (const picture of pictures) void insertPicture(picture)
    return true
  }

  async function insertPicture(file: File) {
    try {
      // Pictures are only offered with somewhere to put them.
      const src = await latest.current.onUploadImage!(file)
      editor
        ?.chain()
        .focus()
        .setImage({ src, alt: describe(file.name) })
        .selectNodeBackward()
        .run()
    } catch (error) {
      toast.error({
        title: words('ui.pictureFailed', { name: file.name }),
        detail: error instanceof Error ? error.message : undefined,
      })
    }
  }

  useEffect(() => {
    if (!editor || value === told.current) return
    told.current = value
    editor.commands.setContent(value, { emitUpdate: false })
  }, [editor, value])

  /** How the chosen picture is described to those who do not see it; null while none is chosen. */
  const alt = useEditorState({
    editor,
    selector: ({ editor: shown }) =>
      shown?.isActive('image') ? String(shown.getAttributes('image').alt ?? '') : null,
  })

  return (
    <Frame
      editor={editor}
      className={classes.editor}
      classNames={{
        toolbar: classes.toolbar,
        controlsGroup: classes.plainGround,
        control: classes.control,
        content: classes.plainGround,
      }}
      style={{ height }}
      withTypographyStyles
    >
      {!isReadOnly && (
        <Frame.Toolbar>
          <Frame.ControlsGroup>
            <Frame.Bold />
            <Frame.Italic />
            <Frame.Underline />
          </Frame.ControlsGroup>
          <Frame.ControlsGroup>
            <Frame.H2 />
            <Frame.H3 />
            <Frame.BulletList />
            <Frame.OrderedList />
            <Frame.Blockquote />
          </Frame.ControlsGroup>
          <Frame.ControlsGroup>
            <Frame.Link />
            <Frame.Unlink />
            {onUploadImage && (
              <Frame.Control
                aria-label={words('ui.insertPicture')}
                title={words('ui.insertPicture')}
                onClick={() => picker.current?.click()}
              >
                <IconPhoto size={16} stroke={1.75} aria-hidden />
              </Frame.Control>
            )}
          </Frame.ControlsGroup>
          {fields.length > 0 && (
            <FloatingMenu position="bottom-start">
              <Menu.Target>
                <Frame.Control aria-label={words('ui.insertField')} title={words('ui.insertField')}>
                  <IconBraces size={16} stroke={1.75} aria-hidden />
                </Frame.Control>
              </Menu.Target>
              <Menu.Dropdown mah={280} style={{ overflowY: 'auto' }}>
                {fields.map((field) => (
                  <Menu.Item
                    key={field.insert}
                    onClick={() => editor?.chain().focus().insertContent(field.insert).run()}
                  >
                    {field.label}
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </FloatingMenu>
          )}
          <Frame.ControlsGroup>
            <Frame.ClearFormatting />
            <Frame.Undo />
            <Frame.Redo />
          </Frame.ControlsGroup>
        </Frame.Toolbar>
      )}
      {!isReadOnly && alt !== null && (
        <label className={classes.alt}>
          {words('ui.pictureAlt')}
          <input
            value={alt}
            maxLength={maxAlt}
            onChange={(event) =>
              editor?.commands.updateAttributes('image', { alt: event.currentTarget.value })
            }
          />
        </label>
      )}
      <Frame.Content className={classes.scroll} />
      <input
        ref={picker}
        type="file"
        accept="image/png,image/jpeg,image/gif,image/webp,.heic,.heif"
        hidden
        onChange={(event) => {
          const file = event.currentTarget.files?.[0]
          event.currentTarget.value = ''
          if (file) void insertPicture(file)
        }}
      />
    </Frame>
  )
}
