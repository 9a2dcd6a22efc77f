interface Opened {
  elements: {
    reference: { getBoundingClientRect: () => { top: number; bottom: number } }
    floating: HTMLElement
  }
}

/**
 * A list is as high as the larger room above or below its field allows. Held to the room of the side it opened on, it would always
 * seem to fit there, and never be put on the other side.
 */
const fitHeight = ({ elements: { reference, floating } }: Opened): void => {
  const { top, bottom } = reference.getBoundingClientRect()
  floating.style.maxHeight = `${Math.max(top - 16, innerHeight - bottom - 16, 120)}px`
}

/** Keeps a list on the screen, since nobody can scroll to what is beyond it. On phones it is wider than its field wherever it opens, which says nothing about the better side. */
export const placing = { flip: { crossAxis: false }, shift: true, size: { padding: 8, apply: fitHeight } }
