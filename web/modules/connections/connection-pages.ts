/** Both pages in one file: whoever opens the list goes on to a connection. */
export { ConnectionPage } from './ConnectionPage.tsx'
export { ConnectionsPage } from './ConnectionsPage.tsx'
