import type { Duplex, DuplexOptions, Transform } from 'node:stream'

type Zlib = { createUnzip(): Transform; createInflateRaw(): Transform }

/**
 * Unpacks what is called `deflate`, which two formats are: the one of zlib, as it is written down, and its bare contents, which
 * some servers send. Which one it is its first two bytes say.
 */
export function eitherDeflate(zlib: Zlib, make: new (options: DuplexOptions) => Duplex): Duplex {
  let inner: Transform | undefined
  let held = Buffer.alloc(0)
  const begin = (bytes: Buffer): Transform => {
    inner = hasHeader(bytes) ? zlib.createUnzip() : zlib.createInflateRaw()
    inner.on('data', (piece: Buffer) => {
      if (!outer.push(piece)) inner!.pause()
    })
    inner.on('end', () => outer.push(null))
    inner.on('error', (error) => outer.destroy(error))
    return inner
  }
  const outer: Duplex = new make({
    write(chunk: Buffer, _encoding, done) {
      if (inner) return void inner.write(chunk, done)
      held = Buffer.concat([held, chunk])
      if (held.length < 2) return done()
      begin(held).write(held, done)
    },
    final(done) {
      if (!inner && held.length === 0) outer.push(null)
      else if (inner) inner.end()
      else begin(held).end(held)
      done()
    },
    read() {
      inner?.resume()
    },
    destroy(error, done) {
      inner?.destroy()
      done(error)
    },
  })
  return outer
}

/** A header of zlib (RFC 1950: the method, then check bits), or of gzip, which some call `deflate` too. */
function hasHeader(bytes: Buffer): boolean {
  const [first = 0, second = 0] = bytes
  if (first === 0x1f && second === 0x8b) return true
  return (first & 0x0f) === 8 && first >> 4 <= 7 && ((first << 8) | second) % 31 === 0
}
