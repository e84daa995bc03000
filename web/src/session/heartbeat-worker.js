// Triggers the realtime client's heartbeat. The client expects messages of this shape.
addEventListener('message', (message) => {
  if (message.data.event === 'start') {
    setInterval(() => postMessage({ event: 'keepAlive' }), message.data.interval)
  }
})
