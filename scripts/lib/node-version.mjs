// The scripts in package.json import this module first, so its syntax must work in old versions of Node.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Ovation needs Node 20.19 or newer; this is ${process.versions.node}.`)
  process.exit(1)
}
