import { Mailbox } from './mailbox.ts'
import { type Product, startProduct } from './start.ts'
import { test } from './support.ts'

/** For journeys of one file that read mail or change what others rely on: an installation of their own, with a mail server. */
export const ownInstallation = (): { readonly mailbox: Mailbox } => {
  let mailbox: Mailbox | undefined
  let product: Product | undefined
  let shared: string | undefined
  test.beforeAll(async () => {
    mailbox = await Mailbox.open()
    product = await startProduct({ SMTP_URL: mailbox.url })
    shared = process.env.PRACTICUM_URL
    process.env.PRACTICUM_URL = product.address
  })
  test.afterAll(async () => {
    process.env.PRACTICUM_URL = shared
    await product?.stop()
    mailbox?.close()
  })
  return {
    get mailbox() {
      if (!mailbox) throw new Error('The mail server is there once the journeys run.')
      return mailbox
    },
  }
}
