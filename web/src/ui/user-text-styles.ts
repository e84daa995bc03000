/**
 * For an element that holds a name or words of somebody's and nothing else, on a line of its own: it is read, and cut
 * where there is no room, in its own direction, but stands where our lines begin. Within a line of ours use `<bdi>`.
 */
export const userTextLine = { dir: 'auto', textAlign: 'left' } as const

/**
 * For a block of somebody's own writing: each paragraph runs, and begins, on its own side. Unlike `dir`, this turns no
 * corner or margin of the block around.
 */
export const userTextParagraphs = { unicodeBidi: 'plaintext' } as const
