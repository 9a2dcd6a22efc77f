import { useEffect } from 'react'

/**
 * Loads what sends files with the field that takes them, while the network is there. An import that fails at the press would fail
 * until the page is loaded anew.
 */
export const useFileSending = (): void => useEffect(() => void import('./photos.ts').catch(() => {}), [])
