// Imported first by every script, and written so that even an old Node can read it.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Ovation needs Node 20.19 or newer; this is ${process.versions.node}.`)
  process.exit(1)
}
