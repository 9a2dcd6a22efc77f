import { createServer } from 'vite'

/** Vite's server for the pages; whatever is not a page goes to the program's server, which runs beside it. */
const { APP_ROOT = '', HOST = '127.0.0.1', DEV_PAGES_PORT, DEV_SERVER_PORT } = process.env
const appRoot = APP_ROOT.replace(/\/$/, '').replaceAll('.', '\\.')
const target = `http://127.0.0.1:${DEV_SERVER_PORT}`
const server = await createServer({
  server: {
    host: HOST,
    port: Number(DEV_PAGES_PORT),
    strictPort: true,
    proxy: {
      [`^${appRoot}/new/(api|saml)(/|$)`]: target,
      [`^${appRoot}/(login|admin)?$`]: target,
      '^/(healthz|readyz|metrics)$': target,
    },
  },
})
await server.listen()
server.printUrls()
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => server.close().then(() => process.exit(0)))
