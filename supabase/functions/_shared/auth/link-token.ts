/** The token of a link in a mail. What is no token at all is answered like one that nobody was sent. */
export const likeAnyOther = (token: string) => (/^[A-Za-z0-9_-]{1,200}$/.test(token) ? token : '')
