/** The element of a message of the open thread; it takes the focus where nothing in it does. */
function messageElement(messageId: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-message="${CSS.escape(messageId)}"]`)
}

/** The box below the thread, where something may be written. */
export function composerElement(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[data-message-box]')
}

/** Where the focus goes on when what had it in a message is gone: to the message, or where that is gone to the box. */
export function fallbackFocusTarget(messageId: string): HTMLElement | null {
  return messageElement(messageId) ?? composerElement()
}

/** The element that had the focus, while it is there. */
export function connectedOrFallback(element: HTMLElement, messageId: string): HTMLElement | null {
  return element.isConnected ? element : fallbackFocusTarget(messageId)
}
