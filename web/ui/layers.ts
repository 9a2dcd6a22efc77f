type Layer = { close: () => void }

const layers: Layer[] = []
let onChange = (): void => {}

/** What is open over the page at present (dialogs, sheets, menus, lists), the topmost last. */
export const openLayers: readonly Layer[] = layers

/** For the one that makes Back close them: is told of each that opens or goes. */
export const watchLayers = (listener: () => void): void => {
  onChange = listener
  listener()
}

/** Something has opened over the page. The answer is for when it has gone. */
export const openLayer = (close: () => void): (() => void) => {
  const layer = { close }
  layers.push(layer)
  onChange()
  return () => {
    layers.splice(layers.indexOf(layer), 1)
    onChange()
  }
}
