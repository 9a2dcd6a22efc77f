interface Layer {
  close: () => void
  /** It has the page to itself; lists and menus only float. */
  isDialog: boolean
}

const layers: Layer[] = []
const listeners: ((closed?: Layer) => void)[] = []

/** What is open over the page at present (dialogs, sheets, menus, lists), the topmost last. */
export const openLayers: readonly Layer[] = layers

/** Tells of each that opens, and which one has closed. */
export const watchLayers = (listener: (closed?: Layer) => void): void => void listeners.push(listener)

/** Something has opened over the page. The answer is for when it has gone. */
export const openLayer = (layer: Layer): (() => void) => {
  layers.push(layer)
  for (const listener of listeners) listener()
  return () => {
    layers.splice(layers.indexOf(layer), 1)
    for (const listener of listeners) listener(layer)
  }
}
