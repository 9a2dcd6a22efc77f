import { join } from 'node:path'
import { root } from './process.mjs'

/**
 * How the server's process is started, by `npm start` and by the bench alike. With its bounds the process stays at about half
 * the memory under load: answers live short, and what outlives them is collected before the heap has doubled.
 */
export const serverArguments = ['--max-semi-space-size=8', '--max-old-space-size=1024', 'server/main.ts']

/** Compiled code is kept between starts: the next one takes less time and memory. */
export const keptCode = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'practicum') }

/**
 * Besides kept code, settings for the C library of Linux, which mean nothing elsewhere: large answers go back to the system when
 * they are sent, and threads share their memory.
 */
export const serverEnvironment = {
  ...keptCode,
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '32768',
  MALLOC_TRIM_THRESHOLD_: '131072',
}
