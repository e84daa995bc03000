/** The id of the home feed's composer, which the empty feed brings into focus. */
export const homeComposerId = 'composer'
