import { QRCodeSVG } from 'qrcode.react'
import classes from './QrCode.module.css'

interface QrCodeProps {
  url: string
  title: string
  /** Without the address below it. */
  isBare?: boolean
}

/** A code on white in either scheme, since cameras read no other, with its address below it. */
export function QrCode({ url, title, isBare }: QrCodeProps) {
  return (
    <>
      <div className={classes.qr}>
        <QRCodeSVG value={url} size={228} level="M" title={title} />
      </div>
      {!isBare && <p className={classes.address}>{url}</p>}
    </>
  )
}
