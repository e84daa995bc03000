// Ctrl+Enter or Cmd+Enter in a text area submits its form. Everything else works without a script.
document.addEventListener('keydown', (event) => {
  const { target } = event
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  if (target instanceof HTMLTextAreaElement) target.form?.requestSubmit()
})
