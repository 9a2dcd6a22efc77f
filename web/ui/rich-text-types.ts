export type RichTextProps = {
  /** What is written, for screen readers and as the visible label. */
  label: string
  hideLabel?: boolean
  /** HTML; the server cleans it on the way in. */
  value: string
  onChange: (html: string) => void
  /** Uploads a picture and answers with its address; without it there is no picture button. */
  onUploadImage?: (file: File) => Promise<string>
  /** Fields that can be inserted: "first name" inserts '{{person.first}}'. */
  fields?: { label: string; insert: string }[]
  /** px */
  height?: number
  error?: string
  isReadOnly?: boolean
}
