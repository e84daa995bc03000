// The response headers of lists.

/** The header with the cursor of a list's next page. Omitted on the last page. */
export const nextCursorHeader = 'X-Next-Cursor'
/** The header with the number of items on all pages, sent with some lists. */
export const totalCountHeader = 'X-Total-Count'
