/** The handle of a route whose screen takes the rail's place as well. */
export const wideLayout = 'wide'
