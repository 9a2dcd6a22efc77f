import { QRCodeSVG } from 'qrcode.react'
import classes from './exams.module.css'

/** A code on white in either scheme, since cameras read no other, with its address below it. */
export function QrCode({ url, title }: { url: string; title: string }) {
  return (
    <>
      <div className={classes.qr}>
        <QRCodeSVG value={url} size={228} level="M" title={title} />
      </div>
      <p className={classes.address}>{url}</p>
    </>
  )
}
