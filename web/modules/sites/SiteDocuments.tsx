import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import {
  addSiteDocument,
  downloadSiteDocument,
  getSite,
  removeSiteDocument,
  restoreSiteDocument,
  type SiteDetail,
  type SiteDocument,
} from '#contract/sites/sites.ts'
import { maxDocumentBytes } from '#contract/sites/sites-rules.ts'
import { type CallError, callAddress } from '#web/api/call.ts'
import { useSave } from '#web/api/use-call.ts'
import { deleteWithUndo } from '#web/ui/attempt.ts'
import { formatInstant } from '#web/ui/dates.ts'
import { fileSize } from '#web/ui/file-size.ts'
import { FileDrop } from '#web/ui/form/FileDrop.tsx'
import gridClasses from '#web/ui/grid/Grid.module.css'
import { toast } from '#web/ui/toast.tsx'
import { useWords } from '#web/words/use-words.ts'
import classes from './sites.module.css'

/** The documents of a saved site; adding and removing count at once. */
export function SiteDocuments(props: { site: SiteDetail; programId: number; isLocked: boolean }) {
  const { site, programId, isLocked } = props
  const words = useWords()
  const [failure, setFailure] = useState<string>()
  const refresh = { refresh: [getSite] }
  const add = useSave(addSiteDocument, refresh)
  const remove = useSave(removeSiteDocument, refresh)
  const restore = useSave(restoreSiteDocument, refresh)
  const at = { programId, siteId: site.Id }

  const upload = async (files: File[]) => {
    setFailure(undefined)
    for (const file of files) {
      try {
        await add.run({ params: at }, { files: { file } })
        toast.done(words('sites.documentAdded', { name: file.name }))
      } catch (error) {
        setFailure((error as CallError).message)
      }
    }
  }
  const removeIt = (document: SiteDocument) => {
    const params = { ...at, documentId: document.Id }
    return deleteWithUndo({
      remove: () => remove.run({ params }),
      restore: () => restore.run({ params }),
      deleted: words('sites.documentRemoved', { name: document.Name }),
    })
  }
  return (
    <div>
      {!isLocked && (
        <FileDrop
          label={words('sites.dropDocument')}
          files={[]}
          onChange={(files) => void upload(files)}
          maxBytes={maxDocumentBytes}
          {...(failure && { error: failure })}
        />
      )}
      <ul className={classes.documents}>
        {site.Documents.map((document) => (
          <li key={document.Id}>
            <span>
              <a
                href={callAddress(downloadSiteDocument, { params: { ...at, documentId: document.Id } })}
                download
              >
                {document.Name}
              </a>
              <br />
              <small>
                {words('sites.documentBy', {
                  date: formatInstant(document.CreateDate),
                  size: fileSize(document.ByteCount),
                  user: document.CreateBy,
                })}
              </small>
            </span>
            {!isLocked && (
              <button
                type="button"
                className={gridClasses.iconButton}
                aria-label={words('sites.removeNamed', { name: document.Name })}
                onClick={() => void removeIt(document)}
              >
                <IconTrash size={16} stroke={1.75} aria-hidden />
              </button>
            )}
          </li>
        ))}
      </ul>
      {isLocked && site.Documents.length === 0 && <p className={classes.noRows}>{words('sites.noRows')}</p>}
    </div>
  )
}
