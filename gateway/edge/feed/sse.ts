/** Server-Sent Events off a stream of bytes: lines in, messages out. */
import { StringDecoder } from 'node:string_decoder'

export interface SseMessage {
  event: string
  id: string
  data: string
}

/** @returns a function that takes each chunk; comments only prove that the other side lives */
export function sseParser(onMessage: (message: SseMessage) => void): (chunk: Buffer) => void {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let message: SseMessage = { event: '', id: '', data: '' }
  let filled = false

  function line(text: string): void {
    if (text === '') {
      if (filled) onMessage(message)
      message = { event: '', id: '', data: '' }
      filled = false
      return
    }
    const colon = text.indexOf(':')
    if (colon === 0) return
    const name = colon < 0 ? text : text.slice(0, colon)
    const value = colon < 0 ? '' : text.slice(text[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (name === 'data') {
      message.data = filled ? `${message.data}\n${value}` : value
      filled = true
    } else if (name === 'id') message.id = value
    else if (name === 'event') message.event = value
  }

  return (chunk) => {
    const lines = (rest + decoder.write(chunk)).split('\n')
    rest = lines.pop() ?? ''
    for (const text of lines) line(text.endsWith('\r') ? text.slice(0, -1) : text)
  }
}
