/**
 * For an element that holds a name or words of somebody's and nothing else, on a line of its own: it is read and cut in
 * its own direction, but stands where the line begins for what is around it. Within a line of ours use `<bdi>`.
 */
export const ownLine = { dir: 'auto', textAlign: 'match-parent' } as const

/**
 * For a block of somebody's own writing: each paragraph runs, and begins, on its own side. Unlike `dir`, this turns no
 * corner or margin of the block around.
 */
export const ownParagraphs = { unicodeBidi: 'plaintext' } as const
