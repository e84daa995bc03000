/** The id of the heading of the sessions: it gets the focus where the button that had it is gone. */
export const sessionsHeadingId = 'sessions'
