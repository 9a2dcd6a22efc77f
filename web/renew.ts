const key = 'practicum-renewed-at'

/**
 * After an update of the server a page that is still open asks for files that are gone. It is then reloaded, which brings the
 * new ones; once a minute at most, and not without a connection, where files are missing for another reason.
 */
export const renewAfterUpdate = (): void => {
  addEventListener('vite:preloadError', (event) => {
    if (!navigator.onLine || Date.now() - Number(sessionStorage.getItem(key)) < 60_000) return
    event.preventDefault()
    sessionStorage.setItem(key, String(Date.now()))
    location.reload()
  })
}
