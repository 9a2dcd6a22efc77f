import { later } from '#web/ui/later.tsx'

// The dialogs of a record: each comes when it is opened.
export const HistoryDialog = later(() => import('./HistoryDialog.tsx').then((m) => m.HistoryDialog))
export const RecordDialog = later(() => import('./RecordDialog.tsx').then((m) => m.RecordDialog))
export const RemindMissed = later(() => import('./RemindDialog.tsx').then((m) => m.RemindMissed))
export const RemindUnmatched = later(() => import('./RemindDialog.tsx').then((m) => m.RemindUnmatched))
export const WriteDialog = later(() => import('./WriteDialog.tsx').then((m) => m.WriteDialog))
