/** Both ends included, 'YYYY-MM-DD'; null is open. */
export type DateRange = { from: string | null; to: string | null }

/** A ready range: "This week". */
export type DatePreset = { label: string; range: DateRange }
