import { language } from '#web/words/language.ts'
import { appRoot } from './root.ts'

/** Registers the service worker of the page's language, or finds it registered. */
export const registerWorker = (): Promise<ServiceWorkerRegistration> =>
  navigator.serviceWorker.register(`${appRoot}/new/sw.js?lang=${language}`, {
    scope: `${appRoot}/new/`,
    updateViaCache: 'none',
  })
