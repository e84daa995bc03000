// Wakes the realtime client for its heartbeat; the answer's shape is the one that client expects.
addEventListener('message', (message) => {
  if (message.data.event === 'start') {
    setInterval(() => postMessage({ event: 'keepAlive' }), message.data.interval)
  }
})
