import { pageAddress } from '#web/api/root.ts'

/** The page of the picture, with the rotation it opens on. */
export const visualizationAddress = (rotationId: number | null): string =>
  `${pageAddress('admin/visualization')}${rotationId === null ? '' : `?rotation_id=${rotationId}`}`
