import { IconRotateClockwise, IconZoomIn, IconZoomOut } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { getProofFile } from '#contract/requirements/proof-review.ts'
import type { Proof } from '#contract/requirements/requirement-fields.ts'
import { callAddress } from '#web/api/call.ts'
import { useProgramId } from '#web/api/use-state.ts'
import { Button } from '#web/ui/buttons.ts'
import { fileSize } from '#web/ui/file-size.ts'
import { ActionIcon } from '#web/ui/icon-buttons.ts'
import { useWords } from '#web/words/use-words.ts'
import classes from './review.module.css'

const zooms = [50, 75, 100, 150, 200, 300]

/** A file as the browser shows it: fetched once, so that one look is one row of the audit. */
const useFile = (address: string | undefined, mediaType: string | undefined): string | undefined => {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    setUrl(undefined)
    if (address === undefined) return
    const left = new AbortController()
    let made: string | undefined
    fetch(address, { signal: left.signal })
      .then(async (response) => {
        if (!response.ok) return
        made = URL.createObjectURL(new Blob([await response.blob()], { type: mediaType ?? '' }))
        if (left.signal.aborted) URL.revokeObjectURL(made)
        else setUrl(made)
      })
      .catch(() => {})
    return () => {
      left.abort()
      if (made) URL.revokeObjectURL(made)
    }
  }, [address, mediaType])
  return url
}

/** The files of a proof, large, one at a time. */
export function ProofViewer({ proof, studentId, name }: { proof: Proof; studentId: number; name: string }) {
  const words = useWords()
  const programId = useProgramId()
  const [position, setPosition] = useState(0)
  const [zoom, setZoom] = useState(100)
  const [turns, setTurns] = useState(0)
  const file = proof.Files[position]
  const url = useFile(
    file &&
      callAddress(getProofFile, {
        params: { programId, studentId, proofId: proof.Id, position: file.Position },
      }),
    file?.MediaType,
  )
  const step = (by: number) =>
    setZoom((now) => zooms[Math.min(zooms.length - 1, Math.max(0, zooms.indexOf(now) + by))] ?? 100)
  if (!file) return <div className={classes.noFile}>{words('requirements.noFile')}</div>
  const isPdf = file.MediaType === 'application/pdf'
  return (
    <div className={classes.viewer}>
      <div className={classes.tools}>
        <span className="p-ellipsis" title={file.Name}>
          {file.Name} · {fileSize(file.ByteCount)}
        </span>
        {proof.Files.length > 1 && (
          <Button variant="default" onClick={() => setPosition((now) => (now + 1) % proof.Files.length)}>
            {words('requirements.fileOf', { number: position + 1, count: proof.Files.length })}
          </Button>
        )}
        {!isPdf && (
          <>
            <ActionIcon
              variant="subtle"
              size={36}
              aria-label={words('requirements.zoomOut')}
              onClick={() => step(-1)}
            >
              <IconZoomOut size={18} stroke={1.75} aria-hidden />
            </ActionIcon>
            <span className={classes.zoom}>{zoom} %</span>
            <ActionIcon
              variant="subtle"
              size={36}
              aria-label={words('requirements.zoomIn')}
              onClick={() => step(1)}
            >
              <IconZoomIn size={18} stroke={1.75} aria-hidden />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              size={36}
              aria-label={words('requirements.rotate')}
              onClick={() => setTurns((now) => (now + 1) % 4)}
            >
              <IconRotateClockwise size={18} stroke={1.75} aria-hidden />
            </ActionIcon>
          </>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <section className={classes.paper} tabIndex={0} aria-label={name}>
        {url &&
          (isPdf ? (
            <iframe title={name} src={url} />
          ) : (
            <img
              src={url}
              alt={name}
              style={{ width: `${zoom}%`, transform: turns > 0 ? `rotate(${turns * 90}deg)` : undefined }}
            />
          ))}
      </section>
    </div>
  )
}
