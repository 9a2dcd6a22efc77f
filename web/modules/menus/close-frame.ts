/** What a page in a frame tells the page around it, of the same origin only, when it is done. */
export const closeFrame = 'practicum:close-frame'
