import { Fragment, type ReactNode } from 'react'
import { type FailedRead, ReadProblem } from './ReadProblem.tsx'

export type EditPageProps<T> = {
  /** The id of the address; null for a new one. */
  id: number | null
  /** What `useRead` gives, enabled where there is an id. */
  read: FailedRead & { data: T | undefined }
  /** The form, begun again for each id; without an argument for a new one. */
  children: (found: T | undefined) => ReactNode
}

/** The page of one thing whose id is in the address: its form, that there is no such thing, or that it could not be read. */
export function EditPage<T>({ id, read, children }: EditPageProps<T>) {
  if (id === null) return <Fragment key="new">{children(undefined)}</Fragment>
  if (read.data !== undefined) return <Fragment key={id}>{children(read.data)}</Fragment>
  return <ReadProblem read={read} />
}
