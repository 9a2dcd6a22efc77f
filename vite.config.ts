import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/**
 * The pages are built once for every APP_ROOT: addresses in them are relative, and the server writes the root into the
 * one HTML file when it starts.
 */
export default defineConfig({
  root: 'web',
  base: './',
  plugins: [react()],
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    assetsDir: 'assets',
    target: 'es2023',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
})
