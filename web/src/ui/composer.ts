/** The id of the home feed's composer, which the shell's compose buttons and the empty feed bring into focus. */
export const composerId = 'composer'
