import { later } from '#web/ui/later.tsx'

// The dialogs of the list and of the picture: each comes when it is opened.
export const AssignDialog = later(() => import('./AssignDialog.tsx').then((m) => m.AssignDialog))
export const CalendarDialog = later(() =>
  import('#web/shared/CalendarDialog.tsx').then((m) => m.CalendarDialog),
)
export const ChangeDialog = later(() => import('./ChangeDialog.tsx').then((m) => m.ChangeDialog))
export const PersonalFiltersDialog = later(() =>
  import('./PersonalFiltersDialog.tsx').then((m) => m.PersonalFiltersDialog),
)
export const SeriesDialog = later(() => import('./SeriesDialog.tsx').then((m) => m.SeriesDialog))
