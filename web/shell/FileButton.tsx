import { Button, type ButtonProps } from '#web/ui/buttons.ts'
import { PreparingFile } from './PreparingFile.tsx'
import { useFile } from './use-file.ts'

/** A button that downloads one file, which the worker may have to prepare first. */
export function FileButton({ href, ...look }: ButtonProps & { href: string }) {
  const file = useFile()
  if (file.task) return <PreparingFile task={file.task} onCancel={() => void file.cancel()} />
  return (
    <Button component="a" href={href} download loading={file.isAsking} onClick={file.onClick} {...look} />
  )
}
