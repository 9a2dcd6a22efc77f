type Values = Record<string, unknown>

/** What somebody typed and did not save, with what these fields held before. */
export interface Draft {
  mine: Values
  base: Values
}

const storageKey = (key: string) => `draft:${key}`

// What is secret is never in the tab's storage.
const isSecret = (name: string) => /password|secret|confirm/i.test(name)

const pick = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(names.map((name) => [name, values[name]]))

export function readDraft(key: string | undefined): Draft | undefined {
  if (!key) return undefined
  try {
    const draft = JSON.parse(sessionStorage.getItem(storageKey(key)) ?? 'null') as Partial<Draft> | null
    return draft?.mine && draft.base ? (draft as Draft) : undefined
  } catch {
    return undefined
  }
}

/** Keeps the changed fields in the tab; without any the draft goes. */
export function writeDraft(
  key: string | undefined,
  values: Values,
  saved: Values,
  changed: readonly string[],
) {
  if (!key) return
  const names = changed.filter((name) => !isSecret(name))
  try {
    if (names.length === 0) sessionStorage.removeItem(storageKey(key))
    else
      sessionStorage.setItem(
        storageKey(key),
        JSON.stringify({ mine: pick(values, names), base: pick(saved, names) }),
      )
  } catch {
    // Without storage the text is still on the screen.
  }
}
