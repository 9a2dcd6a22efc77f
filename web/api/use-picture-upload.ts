import { useCallback } from 'react'
import { addInstallationPicture, addPicture } from '#contract/news/pictures.ts'
import { call } from './call.ts'

/**
 * Uploads a picture of a formatted text and answers its address, for `RichText`. With a program it is seen by that program's
 * people, with null by everybody who is signed in.
 */
export const usePictureUpload = (programId: number | null): ((file: File) => Promise<string>) =>
  useCallback(
    async (file) => {
      const files = { files: { file } }
      const { Address } =
        programId === null
          ? await call(addInstallationPicture, {}, files)
          : await call(addPicture, { params: { programId } }, files)
      return Address
    },
    [programId],
  )
