import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const picture = (base64: string): Buffer => Buffer.from(base64, 'base64')

/** Pictures of three by two brown pixels as ImageMagick writes them. The PNG has texts, the GIF what its application wrote. */
export const pictures = {
  png: picture(
    'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACAQMAAACnuvRZAAAABGdBTUEAALGPC/xhBQAAACBjSFJNAAB6JgAAgIQAAPoAAACA6AAAdTAAAOpgAAA6mAAAF3CculE8AAAABlBMVEWAQCD///9DqHxyAAAAAWJLR0QB/wIt3gAAAAd0SU1FB+oLHBInAaR0vp8AAAAMSURBVAjXY2BgYAAAAAQAASc0JwoAAAAldEVYdGRhdGU6Y3JlYXRlADIwMjYtMTEtMjhUMTg6Mzk6MDErMDA6MDBvS/yAAAAAJXRFWHRkYXRlOm1vZGlmeQAyMDI2LTExLTI4VDE4OjM5OjAxKzAwOjAwHhZEPAAAAABJRU5ErkJggg==',
  ),
  jpeg: picture(
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkKDA8MCgsOCwkJDRENDg8QEBEQCgwSExIQEw8QEBD/2wBDAQMDAwQDBAgEBAgQCwkLEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBD/wAARCAACAAMDAREAAhEBAxEB/8QAFAABAAAAAAAAAAAAAAAAAAAACP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/xAAUAQEAAAAAAAAAAAAAAAAAAAAH/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8APg3Lr//Z',
  ),
  webp: picture('UklGRjYAAABXRUJQVlA4ICoAAACwAQCdASoDAAIAAgA0JaACdLoABGaAAP7wm0P4ta3C0sP9V4gzPWQAAAA='),
  gif: picture(
    'R0lGODlhAwACAPAAAIBAIP///yH5BAAAAAAAIf8LSW1hZ2VNYWdpY2sNZ2FtbWE9MC40NTQ1NQAsAAAAAAMAAgAAAgKEXwA7',
  ),
}

/**
 * A folder for PATH, until the test is over, in which the converter of HEIC is a program that writes this file, or does these commands of a shell: what an operator
 * may have installed, good or not.
 */
export const standInConverter = async (made: Buffer | string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'practicum-path-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'made.jpg'), made)
  const commands = typeof made === 'string' ? made : `/bin/cat '${folder}/made.jpg' > out.jpg`
  await writeFile(join(folder, 'heif-convert'), `#!/bin/sh\n${commands}\n`)
  await chmod(join(folder, 'heif-convert'), 0o755)
  return folder
}
