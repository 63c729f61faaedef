/** A zip of a few text files, deflated (APPNOTE 6.3.4, the part a workbook needs). */
import { crc32, deflateRawSync } from 'node:zlib'

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const VERSION = 20
const DEFLATED = 8
/** Names are UTF-8. */
const FLAGS = 0x0800
/** 1 January 1980: the same content makes the same bytes. */
const DOS_DATE = 0x0021

export function zipOf(files: readonly (readonly [name: string, text: string])[]): Buffer {
  const parts: Buffer[] = []
  const entries: Buffer[] = []
  let at = 0
  for (const [name, text] of files) {
    const label = Buffer.from(name, 'utf8')
    const content = Buffer.from(text, 'utf8')
    const packed = deflateRawSync(content)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(VERSION, 0)
    common.writeUInt16LE(FLAGS, 2)
    common.writeUInt16LE(DEFLATED, 4)
    common.writeUInt16LE(0, 6)
    common.writeUInt16LE(DOS_DATE, 8)
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(content.length, 18)
    common.writeUInt16LE(label.length, 22)
    const local = Buffer.concat([word(LOCAL), common, label, packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(at, 10)
    entries.push(Buffer.concat([word(CENTRAL), half(VERSION), common, rest, label]))
    parts.push(local)
    at += local.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...parts, directory, word(END), end])
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function half(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}
