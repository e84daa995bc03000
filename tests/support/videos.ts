/** A box of an MP4 or QuickTime file. */
function box(type: string, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(8 + body.length)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, body])
}

/** The first box of an MP4 file, and then as many bytes as are asked for. */
export function mp4(bytes = 4096, brand = 'isom'): Buffer {
  const type = box('ftyp', Buffer.from(`${brand}\0\0\x02\0isomiso2mp41`, 'latin1'))
  return Buffer.concat([type, box('mdat', Buffer.alloc(Math.max(0, bytes - type.length - 8), 7))])
}

/** The header of a WebM file, or of another one of its family. */
export function webm(documentType = 'webm'): Buffer {
  const name = Buffer.from(documentType, 'latin1')
  const version = Buffer.from([0x42, 0x86, 0x81, 1])
  const type = Buffer.concat([Buffer.from([0x42, 0x82, 0x80 | name.length]), name])
  const children = Buffer.concat([version, type])
  return Buffer.concat([
    Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x80 | children.length]),
    children,
    Buffer.alloc(64),
  ])
}
